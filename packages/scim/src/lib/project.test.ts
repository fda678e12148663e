import { describe, expect, it } from 'vitest'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from './discovery/definitions.ts'
import { definitions, rows, thing } from './project.cases.ts'
import { project } from './project.ts'

describe('what is left of a resource (RFC 7644 §3.9, RFC 7643 §7)', () => {
  it.each(rows)('%s', (_, query, expected) => {
    const before = structuredClone(thing)
    expect(project(thing, query, definitions)).toStrictEqual(expected)
    expect(thing).toStrictEqual(before)
  })
})

const user = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}

it('never returns the password of a user (RFC 7643 §4.1.1)', () => {
  const stored = { id: '1', userName: 'b', password: 'x' }
  expect(project(stored, {}, user)).toStrictEqual({ id: '1', userName: 'b' })
  expect(project(stored, { attributes: ['password'] }, user)).toStrictEqual({ id: '1' })
})

it('knows an extension whose URN does not end in a name (RFC 7644 §3.9)', () => {
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

it('leaves the members of a group out for a client that reads names alone', () => {
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

it('keeps a member that no definition describes unless attributes are named', () => {
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

it('keeps a part that no definition describes with the whole, not with another part', () => {
  const stored = { id: '1', emails: [{ value: 'b', key: 'k' }] }
  expect(project(stored, { attributes: ['emails'] }, user)).toStrictEqual(stored)
  expect(project(stored, { attributes: ['emails.value'] }, user)).toStrictEqual({
    id: '1',
    emails: [{ value: 'b' }],
  })
})

it('takes one object in place of a list', () => {
  const stored = { id: '1', emails: { value: 'b', type: 'work' } }
  expect(project(stored, { attributes: ['emails.value'] }, user)).toStrictEqual({
    id: '1',
    emails: { value: 'b' },
  })
})

it('drops a list of which nothing is left', () => {
  const stored = { id: '1', emails: [{ type: 'work' }] }
  expect(project(stored, { attributes: ['emails.value'] }, user)).toStrictEqual({ id: '1' })
})

it('gives the same result for every resource of a list, and for definitions that differ', () => {
  const query = { attributes: ['title'] }
  const wide = { [USER_DEFINITION.id]: USER_DEFINITION }
  const narrow = { [USER_DEFINITION.id]: { ...USER_DEFINITION, attributes: [] } }
  for (const title of ['a', 'b']) {
    expect(project({ title }, query, wide)).toStrictEqual({ title })
    expect(project({ title }, query, narrow)).toStrictEqual({})
  }
})
