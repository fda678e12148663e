import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { GROUP_SCHEMA } from '../../src/lib/constants.ts'
import {
  createView,
  versionView,
  viewWithoutMembers,
  wholeView,
} from '../../src/lib/endpoint/core/view.ts'
import { parseFilter } from '../../src/lib/filter/parse.ts'
import { attributeIndex } from '../../src/lib/schema/attribute-index.ts'
import { GROUP_DEFINITIONS, USER_DEFINITIONS } from './serve.ts'

const users = attributeIndex(USER_DEFINITIONS)
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

// RFC 7644 §3.9
it.each<[string, object, Record<string, boolean>]>([
  ['everything by default', {}, { groups: true, title: true, emails: true, [enterprise]: true }],
  ['not a password', {}, { password: false }],
  ['not a member without a definition', {}, { color: false }],
  [
    'the named attributes, those with a named part, and those always returned',
    { attributes: ['TITLE', 'name.givenName', 'emails'] },
    {
      title: true,
      name: true,
      'name.givenName': true,
      'name.familyName': false,
      'emails.value': true,
      id: true,
      groups: false,
      [enterprise]: false,
    },
  ],
  [
    'an extension with a named attribute',
    { attributes: [`${enterprise}:department`] },
    { [enterprise]: true, [`${enterprise}:department`]: true, [`${enterprise}:manager`]: false },
  ],
  [
    'all but the excluded attributes',
    { excludedAttributes: ['groups', 'id', 'emails.value'] },
    { groups: false, 'groups.value': false, id: true, emails: true, 'emails.value': false },
  ],
  [
    'not an attribute whose parts are all excluded',
    { excludedAttributes: ['groups.value', 'groups.$ref', 'groups.display', 'groups.type'] },
    { groups: false },
  ],
  [
    'the attributes in the filter and the order',
    {
      attributes: ['userName'],
      filter: unwrap(
        parseFilter('not (groups.value eq "1" or emails[type eq "work"]) and title pr'),
      ),
      sortBy: 'name.familyName',
    },
    {
      groups: true,
      emails: true,
      'emails.type': true,
      title: true,
      name: true,
      'name.familyName': true,
      'name.givenName': false,
      active: false,
    },
  ],
])('a view needs %s', (_, query, needed) => {
  const view = createView(query, users)
  const found = Object.keys(needed).map((path) => [path, view.needs(path)])
  expect(Object.fromEntries(found)).toEqual(needed)
})

it('a view knows whether a store may omit an attribute', () => {
  const view = createView({ excludedAttributes: ['members'] }, attributeIndex(GROUP_DEFINITIONS))
  view.needs('displayName')
  expect(view.hasOmitted()).toBe(false)
  view.needs('members')
  expect(view.hasOmitted()).toBe(true)
})

it.each([
  [
    'changes members',
    viewWithoutMembers(),
    { excludedAttributes: ['members'] },
    {
      members: false,
      'members.value': false,
      displayName: true,
      membersOf: true,
      [`${GROUP_SCHEMA}:members`]: false,
      [`${GROUP_SCHEMA}:displayName`]: true,
    },
  ],
  [
    'needs the version',
    versionView(),
    { attributes: ['meta'] },
    { meta: true, 'META.version': true, ID: true, metadata: false, userName: false },
  ],
  ['needs the whole resource', wholeView(), {}, { meta: true, members: true }],
])('a write that %s gets a matching view', (_, view, named, needed) => {
  const { attributes, excludedAttributes, needs } = view
  expect({ attributes, excludedAttributes }).toEqual(named)
  const found = Object.keys(needed).map((path) => [path, needs(path)])
  expect(Object.fromEntries(found)).toEqual(needed)
})

it('a view needs an on-request attribute only if it is named (RFC 7643 §7)', () => {
  const plain = { type: 'string', multiValued: false, required: false } as const
  const attributes = [
    { ...plain, name: 'photo', returned: 'request' as const },
    { ...plain, name: 'color' },
  ]
  const index = attributeIndex({ 'urn:x:Door': { id: 'urn:x:Door', name: 'Door', attributes } })
  const needs = (query: object) => ['photo', 'color'].map(createView(query, index).needs)
  expect(needs({})).toEqual([false, true])
  expect(needs({ excludedAttributes: ['color'] })).toEqual([false, false])
  expect(needs({ attributes: ['photo'] })).toEqual([true, false])
})
