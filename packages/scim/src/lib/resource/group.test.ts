import { readFileSync } from 'node:fs'
import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { GROUP_SCHEMA } from '../constants.ts'
import { groupResource, parseGroup } from './group.ts'

function fixture(name: string): Record<string, unknown> {
  const url = new URL(`../../../test/fixtures/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'), (key, value) =>
    // The same instant, in the form in which dates are written.
    key === 'created' || key === 'lastModified' ? new Date(value).toISOString() : value,
  )
}

it('the RFC 7643 §8.4 group is written as it was read', () => {
  const group = fixture('rfc7643-8.4-group')
  expect(groupResource(unwrap(parseGroup(group)))).toStrictEqual(group)
})

describe('members next to displayName are read (RFC 7643 §4.2)', () => {
  it.each<[string, object, object]>([
    [
      'members with a reference',
      { members: [{ value: '1', $ref: '/Users/1' }] },
      { members: [{ value: '1', ref: '/Users/1' }] },
    ],
    [
      'Entra ID: a null reference',
      { members: [{ value: '1', $ref: null }] },
      { members: [{ value: '1' }] },
    ],
    ['Okta: null members', { members: null }, {}],
    ['RFC 7643 §2.5: empty members', { members: [] }, {}],
    ['one member without a list', { members: { value: '1' } }, { members: [{ value: '1' }] }],
    [
      'names in another letter case',
      { Members: [{ VALUE: '1', Display: 'B' }] },
      { members: [{ value: '1', display: 'B' }] },
    ],
    [
      'a type',
      { members: [{ value: '1', type: 'Group' }] },
      { members: [{ value: '1', type: 'Group' }] },
    ],
    ['id and externalId', { id: 'g', externalId: 'x' }, { id: 'g', externalId: 'x' }],
    [
      'Entra ID: a schema of its own next to the core schema',
      {
        schemas: [
          GROUP_SCHEMA,
          'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
        ],
      },
      {},
    ],
    [
      'RFC 7643 §2.4: a member that is repeated',
      { members: [{ value: '1' }, { value: '2' }, { value: '1', display: 'B' }] },
      { members: [{ value: '1' }, { value: '2' }] },
    ],
    [
      'RFC 7644 §3.3: read-only members that are malformed',
      { id: 5, meta: { created: 'yesterday', version: 'W/"1"' } },
      { meta: { version: 'W/"1"' } },
    ],
    ['members without a definition are ignored', { owner: { value: '1' } }, {}],
  ])("a group's body is read: %s", (_, members, model) => {
    const group = unwrap(parseGroup({ displayName: 'Guides', ...members }))
    expect(group).toStrictEqual({ displayName: 'Guides', ...model })
  })
})

it('a body that is not an object is invalidSyntax (RFC 7644 §3.12)', () => {
  const result = parseGroup('Guides')
  expect(isFailure(result) && result.error).toMatchObject({
    status: 400,
    scimType: 'invalidSyntax',
  })
})

describe('a rejected body is invalidValue, and the message names the member', () => {
  it.each<[string, unknown, string]>([
    ['erratum 5368: no displayName', {}, 'displayName is required'],
    ['erratum 5368: an empty displayName', { displayName: '' }, 'displayName is required'],
    ['a number for a string', { displayName: 5 }, 'displayName must be a string'],
    ['a string for a member', { displayName: 'g', members: ['1'] }, 'members[0] must be an object'],
    [
      'a part of a member',
      { displayName: 'g', members: [{}, { value: 5 }] },
      'members[1].value must be a string',
    ],
    [
      'other schemas',
      { displayName: 'g', schemas: ['urn:x'] },
      `schemas must list ${GROUP_SCHEMA}`,
    ],
  ])("a group's body is rejected: %s", (_, body, message) => {
    const result = parseGroup(body)
    expect(isFailure(result) && result.error).toMatchObject({
      status: 400,
      scimType: 'invalidValue',
      message,
    })
  })
})

it('a group is written without empty members', () => {
  expect(groupResource({ displayName: 'Guides', members: [{}, { value: '1' }] })).toStrictEqual({
    schemas: [GROUP_SCHEMA],
    displayName: 'Guides',
    members: [{ value: '1' }],
  })
})
