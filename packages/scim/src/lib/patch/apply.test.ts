import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import type { Definitions } from '../schema/types.ts'
import { group, memberships, providers, type Row, standard, user } from './apply.cases.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'
import * as things from './parts.cases.ts'
import type { Tolerance } from './types.ts'

const userDefinitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const groupDefinitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

function patch(
  resource: object,
  operations: readonly object[],
  definitions: Definitions,
  tolerate: readonly Tolerance[] = [],
) {
  const parsed = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: operations }))
  return applyPatch(resource, parsed, { definitions, tolerate })
}

function check(resource: object, definitions: Definitions): (...row: Row) => void {
  return (_, operations, expected) => {
    const before = structuredClone(resource)
    const result = patch(resource, operations, definitions)
    expect(resource).toStrictEqual(before)
    if (typeof expected === 'string') {
      expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType: expected })
      return
    }
    const wanted = Object.entries({ ...resource, ...expected }).filter(
      ([, value]) => value !== undefined,
    )
    expect(unwrap(result)).toStrictEqual(Object.fromEntries(wanted))
    if (Object.keys(expected).length === 0) expect(unwrap(result)).toBe(resource)
  }
}

describe('PATCH follows RFC 7644 §3.5.2', () => {
  it.each(standard)('PATCH, %s', check(user, userDefinitions))
})

describe('PATCH as identity providers send it', () => {
  it.each(providers)('PATCH from a provider, %s', check(user, userDefinitions))
})

describe('PATCH of group members', () => {
  it.each(memberships)('PATCH of group members, %s', check(group, groupDefinitions))
})

describe('PATCH of multi-valued sub-attributes', () => {
  it.each(things.parts)('PATCH of sub-attributes, %s', check(things.thing, things.definitions))
})

describe('PATCH of numbers, booleans, and values in a remove', () => {
  it.each(things.values)('PATCH of typed values, %s', check(things.thing, things.definitions))
})

describe('tolerances', () => {
  it('replace-creates: a replace without a match creates the value', () => {
    const operations = [{ op: 'replace', path: 'emails[type eq "other"].value', value: 'n@x.org' }]
    const patched = unwrap(patch(user, operations, userDefinitions, ['replace-creates']))
    expect(patched.emails).toStrictEqual([...user.emails, { type: 'other', value: 'n@x.org' }])
  })

  it('remove-missing: a remove without a match changes nothing', () => {
    const operations = [
      { op: 'remove', path: 'members[value eq "u9"]' },
      { op: 'remove', path: 'members', value: [{ value: 'u9' }] },
    ]
    expect(unwrap(patch(group, operations, groupDefinitions, ['remove-missing']))).toBe(group)
  })

  it('remove-missing: removing a value that a sub-attribute lacks changes nothing', () => {
    const operations = [
      { op: 'remove', path: 'profile.langs', value: ['fr'] },
      { op: 'remove', path: 'devices.tags', value: ['z'] },
      { op: 'remove', path: 'title', value: 'other' },
    ]
    const patched = patch(things.thing, operations, things.definitions, ['remove-missing'])
    expect(unwrap(patched)).toBe(things.thing)
  })

  describe('unknown-attributes, as in a POST', () => {
    const CUSTOM = 'urn:ietf:params:scim:schemas:extension:custom:2.0:User'
    const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
    it.each<[what: string, operation: object]>([
      ['a path', { op: 'add', path: 'shoeSize', value: 9 }],
      ['a sub-attribute path', { op: 'replace', path: 'name.shoeSize', value: 9 }],
      ['a path with a filter', { op: 'replace', path: 'shoes[size eq 9].color', value: 'red' }],
      ['a path to be removed', { op: 'remove', path: 'shoeSize' }],
      ['a path with an unknown schema', { op: 'add', path: `${CUSTOM}:shoeSize`, value: 9 }],
      ['a path with a known schema', { op: 'add', path: `${ENTERPRISE}:shoeSize`, value: 9 }],
      ['an unknown schema as a path', { op: 'add', path: CUSTOM, value: { shoeSize: 9 } }],
      ['a key', { op: 'replace', value: { shoeSize: 9 } }],
      ['a dotted key', { op: 'replace', value: { 'name.shoeSize': 9 } }],
      ['a key that is a qualified name', { op: 'add', value: { [`${CUSTOM}:shoeSize`]: 9 } }],
      ['a key that is an unknown schema', { op: 'add', value: { [CUSTOM]: { shoeSize: 9 } } }],
      ['a key that cannot be a path', { op: 'add', value: { 'shoe size': 9, '1st shoe': 9 } }],
      ['an extension member', { op: 'add', value: { [ENTERPRISE]: { shoeSize: 9 } } }],
      ['a member in a complex value', { op: 'add', path: 'name', value: { shoeSize: 9 } }],
      ['a member in an added value', { op: 'add', path: 'emails', value: [{ shoeSize: 9 }] }],
      ['a member in a read-only value', { op: 'replace', value: { meta: { shoeSize: 9 } } }],
      ['a schema in schemas', { op: 'add', path: 'schemas', value: [CUSTOM] }],
    ])('unknown-attributes ignores an unknown attribute in %s', (_, operation) => {
      expect(unwrap(patch(user, [operation], userDefinitions, ['unknown-attributes']))).toBe(user)
      expect(isFailure(patch(user, [operation], userDefinitions))).toBe(true)
    })

    it('known attributes in the same value are written', () => {
      const operations = [
        { op: 'add', path: 'name', value: { shoeSize: 9, middleName: 'Jane' } },
        { op: 'add', value: { shoeSize: 9, title: 'Guide', [CUSTOM]: { shoeSize: 9 } } },
      ]
      const patched = unwrap(patch(user, operations, userDefinitions, ['unknown-attributes']))
      const name = { ...user.name, middleName: 'Jane' }
      expect(patched).toStrictEqual({ ...user, name, title: 'Guide' })
    })

    it.each([
      ['a malformed filter in a key', { op: 'add', value: { 'emails[type eq "work"': 'x' } }],
      [
        'an unknown name in a filter',
        { op: 'replace', path: 'emails[size eq 9].value', value: 'x' },
      ],
      ['a known attribute with another type', { op: 'replace', path: 'title', value: { a: 1 } }],
      ['a removal with unknown values', { op: 'remove', path: 'emails', value: [{ shoeSize: 9 }] }],
    ])('unknown-attributes does not ignore %s', (_, operation) => {
      const result = patch(user, [operation], userDefinitions, ['unknown-attributes'])
      expect(isFailure(result) && result.error.status).toBe(400)
    })
  })
})

it('the first member adds the extension to schemas', () => {
  const plain = { schemas: [USER_DEFINITION.id], userName: 'b' }
  const operations = [{ op: 'add', path: 'department', value: 'HR' }]
  expect(unwrap(patch(plain, operations, userDefinitions))).toStrictEqual({
    schemas: [USER_DEFINITION.id, ENTERPRISE_USER_DEFINITION.id],
    userName: 'b',
    [ENTERPRISE_USER_DEFINITION.id]: { department: 'HR' },
  })
})

it.each([
  ['an empty list', []],
  ['null', null],
])('a PATCH accepts %s for an absent read-only list (RFC 7643 §2.5)', (_, groups) => {
  const plain = { schemas: [USER_DEFINITION.id], userName: 'b' }
  expect(unwrap(patch(plain, [{ op: 'replace', value: { groups } }], userDefinitions))).toBe(plain)
})

describe('a PATCH cannot create a value without its required parts (RFC 7643 §2.2)', () => {
  const parts = [
    { name: 'value', type: 'string' as const, required: true },
    { name: 'note', type: 'string' as const },
  ]
  const definitions = {
    'urn:x': {
      id: 'urn:x',
      name: 'X',
      attributes: [
        { name: 'locks', type: 'complex' as const, multiValued: true, subAttributes: parts },
        { name: 'owner', type: 'complex' as const, subAttributes: parts },
        { name: 'size', type: 'decimal' as const },
      ],
    },
    'urn:y': { id: 'urn:y', name: 'Y', attributes: parts },
  }
  const thing = { schemas: ['urn:x'], id: '1' }

  it.each<[string, object[]]>([
    ['an element that is added', [{ op: 'add', path: 'locks', value: { note: 'n' } }]],
    ['an empty string', [{ op: 'add', path: 'locks', value: { value: '', note: 'n' } }]],
    ['an element in a new list', [{ op: 'replace', path: 'locks', value: [{ note: 'n' }] }]],
    ['an element by its filter', [{ op: 'add', path: 'locks[note eq "n"].note', value: 'n' }]],
    ['a complex value', [{ op: 'add', path: 'owner.note', value: 'n' }]],
    ['an extension', [{ op: 'add', path: 'urn:y:note', value: 'n' }]],
  ])('a PATCH rejects %s without the required part', (_, operations) => {
    const result = patch(thing, operations, definitions)
    expect(isFailure(result) && result.error.scimType).toBe('invalidValue')
  })

  it("null is accepted for an absent value's parts, and the value stays absent (RFC 7643 §2.5)", () => {
    const operations = [{ op: 'add', path: 'owner', value: { value: null, note: null } }]
    expect(unwrap(patch(thing, operations, definitions))).toBe(thing)
  })

  it('a number that JSON cannot write is rejected (RFC 8259 §6)', () => {
    const result = patch(
      thing,
      [{ op: 'add', path: 'size', value: JSON.parse('1e400') }],
      definitions,
    )
    expect(isFailure(result) && result.error.scimType).toBe('invalidValue')
  })

  it("an extension's parts may arrive in any order", () => {
    const operations = [
      { op: 'add', path: 'urn:y:note', value: 'n' },
      { op: 'add', path: 'urn:y:value', value: 'v' },
      { op: 'add', path: 'owner', value: { value: 'o' } },
    ]
    expect(unwrap(patch(thing, operations, definitions))).toMatchObject({
      owner: { value: 'o' },
      'urn:y': { note: 'n', value: 'v' },
    })
  })
})

describe('a schema whose URN does not end in a name', () => {
  const urns = ['urn:example:badge:1.0', 'urn:example:my.badge', 'urn:example:v1.0-beta.2']

  it.each(urns)('PATCH accepts the schema %s, whose URN does not end in a name', (urn) => {
    const badge = { id: urn, name: 'B', attributes: [{ name: 'number', type: 'string' as const }] }
    const definitions = { ...userDefinitions, [urn]: badge }
    const added = unwrap(
      patch(user, [{ op: 'add', value: { [urn.toUpperCase()]: { number: '7' } } }], definitions),
    )
    expect(added).toMatchObject({ schemas: [...user.schemas, urn], [urn]: { number: '7' } })
    const [set, removed] = [
      { op: 'replace', path: `${urn}:number`, value: '8' },
      { op: 'remove', path: urn },
    ]
    expect(unwrap(patch(added, [set], definitions))[urn]).toStrictEqual({ number: '8' })
    expect(unwrap(patch(added, [removed], definitions))).toStrictEqual(user)
  })
})

it('unchanged parts are shared with the original resource', () => {
  const patched = unwrap(patch(user, [{ op: 'add', path: 'title', value: 'x' }], userDefinitions))
  expect(patched.emails).toBe(user.emails)
  expect(patched.name).toBe(user.name)
})

it('10,000 operations on 100,000 members run in one pass', () => {
  const members = Array.from({ length: 100_000 }, (_, at) => ({ value: `u${at}`, type: 'User' }))
  const operations = Array.from({ length: 5_000 }, (_, at) => [
    { op: 'remove', path: `members[value eq "u${at * 3}"]` },
    { op: 'add', path: 'members', value: [{ value: `n${at}` }] },
  ]).flat()
  const patched = unwrap(patch({ ...group, members }, operations, groupDefinitions))
  expect(patched.members).toHaveLength(100_000)
})

it('an extension nested in itself is rejected at any depth', () => {
  const urn = ENTERPRISE_USER_DEFINITION.id
  const deep = JSON.parse(`${`{"${urn}":`.repeat(20_000)}1${'}'.repeat(20_000)}`)
  const result = patch(user, [{ op: 'add', value: deep }], userDefinitions)
  expect(isFailure(result) && result.error.scimType).toBe('invalidPath')
})

it('values nested 100,000 deep are checked without a stack overflow', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  for (const path of ['title', 'emails', 'name', 'active', 'emails[type eq "work"].value']) {
    const result = patch(user, [{ op: 'replace', path, value: deep }], userDefinitions)
    expect(isFailure(result) && result.error.status).toBe(400)
  }
  const meta = patch(user, [{ op: 'replace', value: { meta: deep } }], userDefinitions)
  expect(isFailure(meta) && meta.error.scimType).toBe('mutability')
})

describe('a manager set by id (RFC 7643 §4.3)', () => {
  const urn = ENTERPRISE_USER_DEFINITION.id
  const manager = { value: 'm1', $ref: '../Users/m1', displayName: 'Kim' }
  const employee = { ...user, [urn]: { manager } }

  it.each([
    ['a new id drops the old $ref and displayName', 'm2', { value: 'm2' }],
    ['a new id may be in a list', ['m2'], { value: 'm2' }],
    ['the same id changes nothing', 'm1', manager],
    ['an object keeps the members it does not name', { $ref: 'x' }, { ...manager, $ref: 'x' }],
  ])('for a manager set by id, %s', (_, value, expected) => {
    const operations = [{ op: 'replace', path: `${urn}:manager`, value }]
    const patched = unwrap(patch(employee, operations, userDefinitions))
    expect(patched[urn]).toStrictEqual({ manager: expected })
  })

  it('the manager keeps the id if another sub-attribute is set', () => {
    const operations = [{ op: 'replace', path: `${urn}:manager.$ref`, value: 'x' }]
    const patched = unwrap(patch(employee, operations, userDefinitions))
    expect(patched[urn]).toStrictEqual({ manager: { ...manager, $ref: 'x' } })
  })
})

it('the error names the failing operation', () => {
  const operations = [
    { op: 'add', path: 'title', value: 'Guide' },
    { op: 'replace', path: 'emails[type eq "fax"].value', value: 'x' },
  ]
  const result = patch(user, operations, userDefinitions)
  expect(isFailure(result) && result.error).toMatchObject({
    message: 'Operations[1]: emails: no value matches',
    scimType: 'noTarget',
  })
})

it('a resource is read with the core schema in its schemas (RFC 7643 §3)', () => {
  const definitions = { ...userDefinitions, ...groupDefinitions }
  const operations = [{ op: 'add', path: 'members', value: [{ value: 'u9' }] }]
  const patched = unwrap(patch(group, operations, definitions))
  expect(patched.members).toStrictEqual([...group.members, { value: 'u9' }])
  expect(isFailure(patch(user, operations, definitions))).toBe(true)
})

it('an error with another type is thrown unchanged: it is not a client mistake', () => {
  const value = {
    get title(): string {
      throw new RangeError('broken')
    },
  }
  const operations = [{ op: 'add', path: null, value } as const]
  expect(() => applyPatch(user, operations, { definitions: userDefinitions })).toThrow(RangeError)
})
