import { describe, expect, it } from 'vitest'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import { definitions, rows, thing } from './project.cases.ts'
import { project } from './project.ts'

describe('projected members (RFC 7644 §3.9, RFC 7643 §7)', () => {
  it.each(rows)('a resource is projected: %s', (_, query, expected) => {
    const before = structuredClone(thing)
    expect(project(thing, query, definitions)).toStrictEqual(expected)
    expect(thing).toStrictEqual(before)
  })
})

it('a member stays unchanged if all its parts are returned', () => {
  const resource = { id: '1', name: {}, emails: [], title: { unexpected: {} } }
  const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
  expect(project(resource, {}, definitions)).toStrictEqual(resource)
})

it('members without a definition are kept, even in an extension, unless attributes are named', () => {
  const urn = ENTERPRISE_USER_DEFINITION.id
  const resource = { id: '1', shift: 'late', [urn]: { department: 'HR', floor: 2 } }
  expect(project(resource, {}, user)).toStrictEqual(resource)
  expect(project(resource, { attributes: ['department'] }, user)).toStrictEqual({
    id: '1',
    [urn]: { department: 'HR' },
  })
})

const user = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}

describe('a password is never returned (RFC 7643 §4.1.1)', () => {
  const stored = { id: '1', userName: 'b', password: 'x' }

  it('a password is not returned even if the query names it', () => {
    expect(project(stored, {}, user)).toStrictEqual({ id: '1', userName: 'b' })
    expect(project(stored, { attributes: ['password'] }, user)).toStrictEqual({ id: '1' })
  })

  it.each(['password', 'Password', 'PASSWORD'])(
    'a password is never returned if the resource spells it %s',
    (name) => {
      expect(project({ id: '1', [name]: 'x' }, {}, user)).toStrictEqual({ id: '1' })
    },
  )

  it('a password is never returned if the definitions omit it, as in pickAttributes', () => {
    const narrow = { [USER_DEFINITION.id]: { ...USER_DEFINITION, attributes: [] } }
    expect(project({ id: '1', passWord: 'x' }, {}, narrow)).toStrictEqual({ id: '1' })
  })

  it.each(['default', 'always', 'request'] as const)(
    'a password is never returned if a definition returns it %s',
    (returned) => {
      const attribute = { name: 'Password', type: 'string' as const, returned }
      const thing = { id: 'urn:x', name: 'X', attributes: [attribute] }
      const query = { attributes: ['Password'] }
      expect(project({ id: '1', Password: 'x' }, query, { [thing.id]: thing })).toStrictEqual({
        id: '1',
      })
      expect(project({ id: '1', password: 'x' }, {}, { [thing.id]: thing })).toStrictEqual({
        id: '1',
      })
    },
  )

  it('a password is never returned if an extension contains it', () => {
    const urn = ENTERPRISE_USER_DEFINITION.id
    const employee = { id: '1', [urn]: { department: 'HR', PassWord: 'x' } }
    expect(project(employee, {}, user)).toStrictEqual({ id: '1', [urn]: { department: 'HR' } })
  })
})

describe('members are read in any letter case (RFC 7643 §2.1)', () => {
  const stored = {
    ID: '1',
    USERNAME: 'b',
    Emails: [{ VALUE: 'b@x', Type: 'work' }],
    [ENTERPRISE_USER_DEFINITION.id.toUpperCase()]: { Department: 'HR', division: 'D' },
  }

  it('members are found in any letter case when attributes are named', () => {
    const query = { attributes: ['emails.value', 'department'] }
    expect(project(stored, query, user)).toStrictEqual({
      ID: '1',
      Emails: [{ VALUE: 'b@x' }],
      [ENTERPRISE_USER_DEFINITION.id.toUpperCase()]: { Department: 'HR' },
    })
  })

  it('members are found in any letter case when attributes are excluded', () => {
    const query = { excludedAttributes: ['userName', 'emails.type', 'division', 'id'] }
    expect(project(stored, query, user)).toStrictEqual({
      ID: '1',
      Emails: [{ VALUE: 'b@x' }],
      [ENTERPRISE_USER_DEFINITION.id.toUpperCase()]: { Department: 'HR' },
    })
  })
})

it('both lists apply if a query names as many attributes as it excludes', () => {
  const stored = { id: '1', userName: 'b', emails: [{ value: 'b@x', type: 'work' }] }
  const query = { attributes: ['emails'], excludedAttributes: ['emails.type'] }
  expect(project(stored, query, user)).toStrictEqual({ id: '1', emails: [{ value: 'b@x' }] })
})

it('attributes and excludedAttributes accept an explicit undefined', () => {
  const query = { attributes: undefined, excludedAttributes: undefined }
  expect(project({ id: '1', title: 'x' }, query, user)).toStrictEqual({ id: '1', title: 'x' })
})

it('an extension is selected if its URN does not end in a name (RFC 7644 §3.9)', () => {
  const urn = 'urn:example:badge:1.0'
  const badge = { id: urn, name: 'B', attributes: [{ name: 'number', type: 'string' as const }] }
  const stored = { id: '1', userName: 'b', [urn]: { number: '7' } }
  const definitions = { ...user, [urn]: badge }
  const { [urn]: _, ...rest } = stored
  expect(project(stored, { excludedAttributes: [urn] }, definitions)).toStrictEqual(rest)
  expect(project(stored, { attributes: [urn.toUpperCase()] }, definitions)).toStrictEqual({
    id: '1',
    [urn]: { number: '7' },
  })
})

it('an excluded extension is omitted as a whole, with undefined members', () => {
  const urn = ENTERPRISE_USER_DEFINITION.id
  const query = { excludedAttributes: [urn] }
  const stored = { id: '1', [urn]: { department: 'HR', floor: 2 } }
  expect(project(stored, query, user)).toStrictEqual({ id: '1' })
  expect(project({ id: '1', [urn]: 'HR' }, query, user)).toStrictEqual({ id: '1' })
})

it("a group's members are omitted for a client that reads only names", () => {
  const group = {
    schemas: [GROUP_DEFINITION.id],
    id: 'g',
    displayName: 'Guides',
    members: [{ value: 'u' }],
  }
  const groups = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
  expect(project(group, { excludedAttributes: ['members'] }, groups)).toStrictEqual({
    schemas: group.schemas,
    id: 'g',
    displayName: 'Guides',
  })
})

it('a member without a definition is kept unless attributes are named', () => {
  const stored = { id: '1', userName: 'b', shoeSize: 9 }
  expect(project(stored, { excludedAttributes: ['userName'] }, user)).toStrictEqual({
    id: '1',
    shoeSize: 9,
  })
  expect(project(stored, { attributes: ['userName'] }, user)).toStrictEqual({
    id: '1',
    userName: 'b',
  })
})

it('a part without a definition is kept with the whole, but not with another part', () => {
  const stored = { id: '1', emails: [{ value: 'b', key: 'k' }] }
  expect(project(stored, { attributes: ['emails'] }, user)).toStrictEqual(stored)
  expect(project(stored, { attributes: ['emails.value'] }, user)).toStrictEqual({
    id: '1',
    emails: [{ value: 'b' }],
  })
})

it('one object is accepted in place of a list', () => {
  const stored = { id: '1', emails: { value: 'b', type: 'work' } }
  expect(project(stored, { attributes: ['emails.value'] }, user)).toStrictEqual({
    id: '1',
    emails: { value: 'b' },
  })
})

it('a list without values is dropped', () => {
  const stored = { id: '1', emails: [{ type: 'work' }] }
  expect(project(stored, { attributes: ['emails.value'] }, user)).toStrictEqual({ id: '1' })
})

it('every resource in a list has the same result, also with different definitions', () => {
  const query = { attributes: ['title'] }
  const wide = { [USER_DEFINITION.id]: USER_DEFINITION }
  const narrow = { [USER_DEFINITION.id]: { ...USER_DEFINITION, attributes: [] } }
  for (const title of ['a', 'b']) {
    expect(project({ title }, query, wide)).toStrictEqual({ title })
    expect(project({ title }, query, narrow)).toStrictEqual({})
  }
})
