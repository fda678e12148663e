import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { compileFilter } from '../filter/compile.ts'
import { parseFilter } from '../filter/parse.ts'
import { project } from '../resource/project.ts'
import { compareResources } from '../resource/sort.ts'
import { ENTERPRISE_USER_DEFINITION, GROUP_DEFINITION, USER_DEFINITION } from './core-schemas.ts'
import { definitionsFor } from './definitions-for.ts'

const USER = USER_DEFINITION.id
const GROUP = GROUP_DEFINITION.id
const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const DEVICE = 'urn:example:2.0:Device'

/** Definitions of three resource types. `name` is complex for a user and a string for a device. */
const definitions = {
  [USER]: USER_DEFINITION,
  [ENTERPRISE]: ENTERPRISE_USER_DEFINITION,
  [GROUP]: GROUP_DEFINITION,
  [DEVICE]: {
    id: DEVICE,
    name: 'Device',
    attributes: [
      { name: 'name', type: 'string' as const },
      { name: 'displayName', type: 'string' as const, caseExact: true },
      { name: 'pin', type: 'string' as const, returned: 'never' as const },
    ],
  },
}

const user = { schemas: [USER, ENTERPRISE], displayName: 'B', [ENTERPRISE]: { department: 'HR' } }
const group = { schemas: [GROUP], displayName: 'a', members: [{ value: 'u', display: 'U' }] }
const device = { schemas: [DEVICE], displayName: 'A', name: 'x', pin: '1234' }

const matches = (filter: string, resource: object): boolean =>
  unwrap(compileFilter(unwrap(parseFilter(filter)), { definitions }))(resource)

describe("a resource's core schema is the one in its schemas (RFC 7643 §3)", () => {
  it.each<[string, object, string]>([
    ['a user', user, USER],
    ['a group', group, GROUP],
    [
      'a group with the URN in another letter case',
      { ...group, schemas: [GROUP.toUpperCase()] },
      GROUP,
    ],
    ['schemas in another letter case', { SCHEMAS: [GROUP], displayName: 'a' }, GROUP],
    ['an extension listed first', { ...user, schemas: [ENTERPRISE, USER] }, USER],
    ['only an extension the resource carries', { ...user, schemas: [ENTERPRISE] }, USER],
    ['only an extension without a value', { schemas: [ENTERPRISE], userName: 'b' }, USER],
    [
      'the first core schema in another letter case, before another one',
      { schemas: [GROUP, USER.toUpperCase()], members: [{ value: 'u' }] },
      USER,
    ],
    [
      'the first core schema in another letter case, although a member has its URN',
      { schemas: [GROUP, USER.toUpperCase()], [USER]: {}, members: [{ value: 'u' }] },
      USER,
    ],
    ['no schemas', { displayName: 'a' }, USER],
    ['schemas that are not a list', { schemas: GROUP, displayName: 'a' }, USER],
    ['an unknown schema', { schemas: ['urn:x'], displayName: 'a' }, USER],
    ['values that are not URNs', { schemas: [null, 5, {}], displayName: 'a' }, USER],
    ['a value that cannot become a string', { schemas: [{ toString: 1 }], displayName: 'a' }, USER],
  ])('the core schema is found for %s', (_, resource, core) => {
    expect(Object.keys(definitionsFor(definitions, resource))[0]).toBe(core)
  })

  it("an extension with a value is not the core schema, even with the core's attribute names", () => {
    const note = {
      id: 'urn:example:extension:2.0:Note',
      name: 'Note',
      attributes: [{ name: 'displayName', type: 'string' as const }],
    }
    const several = { [USER]: USER_DEFINITION, [note.id]: note, [GROUP]: GROUP_DEFINITION }
    const noted = { schemas: [GROUP, note.id], displayName: 'a', [note.id]: { displayName: 'b' } }
    expect(Object.keys(definitionsFor(several, noted))[0]).toBe(GROUP)
  })

  it('the other schemas keep their order', () => {
    const found = definitionsFor(definitions, device)
    expect(Object.keys(found)).toEqual([DEVICE, USER, ENTERPRISE, GROUP])
    expect(found).toEqual(definitions)
  })

  it('the same schema returns the same value, so prepared values are shared', () => {
    expect(definitionsFor(definitions, user)).toBe(definitions)
    expect(definitionsFor(definitions, { schemas: ['urn:x'] })).toBe(definitions)
    expect(definitionsFor(definitions, group)).toBe(definitionsFor(definitions, { ...group }))
  })

  it('definitions with one schema stay as they are', () => {
    const one = { [USER]: USER_DEFINITION }
    expect(definitionsFor(one, group)).toBe(one)
  })
})

describe('one definitions value for several resource types', () => {
  it.each<[string, object, boolean]>([
    ['displayName eq "b"', user, true],
    ['department eq "hr"', user, true],
    ['members.value eq "u"', group, true],
    ['members[display eq "U"]', group, true],
    ['members pr', user, false],
    ['not (members pr)', user, true],
    ['displayName eq "A"', group, true],
    ['displayName eq "a"', device, false],
    ['displayName eq "A"', device, true],
    [`${GROUP}:displayName eq "A"`, group, true],
    [`${USER}:displayName eq "A"`, group, false],
    ['name.givenName eq "x"', device, false],
  ])("compileFilter reads %s with the resource's own schema", (filter, resource, expected) => {
    expect(matches(filter, resource)).toBe(expected)
  })

  it("project applies each type's `returned` characteristics", () => {
    expect(project(group, { attributes: ['members.value'] }, definitions)).toStrictEqual({
      schemas: [GROUP],
      members: [{ value: 'u' }],
    })
    expect(project(device, {}, definitions)).toStrictEqual({
      schemas: [DEVICE],
      displayName: 'A',
      name: 'x',
    })
  })

  it("compareResources puts a resource last if the schema's attribute cannot be sorted", () => {
    const deviceFirst = { [DEVICE]: definitions[DEVICE], [USER]: USER_DEFINITION }
    const order = compareResources({ sortBy: 'name' }, deviceFirst)
    const named = { ...user, name: { familyName: 'a' } }
    expect([named, device].sort(order)).toStrictEqual([device, named])
  })

  it("compareResources reads each key with the resource's own schema", () => {
    const order = compareResources({ sortBy: 'members.value' }, definitions)
    expect([user, group].sort(order)).toStrictEqual([group, user])
  })
})

describe('members in another letter case than the definition (RFC 7643 §2.1)', () => {
  const shouted = {
    USERNAME: 'b',
    Emails: [{ VALUE: 'b@x', TYPE: 'work' }],
    Name: { FAMILYNAME: 'Jensen' },
    [ENTERPRISE.toUpperCase()]: { Department: 'HR' },
  }

  it.each([
    'userName eq "b"',
    'emails.value eq "b@x"',
    'emails[type eq "work" and value sw "b"]',
    'name.familyName pr',
    'department eq "hr"',
  ])('compileFilter finds %s', (filter) => {
    expect(matches(filter, shouted)).toBe(true)
  })

  it.each(['userName', 'emails', 'name.familyName', 'department'])(
    'compareResources reads %s in any letter case',
    (sortBy) => {
      const order = compareResources({ sortBy }, definitions)
      expect(order(shouted, {})).toBeLessThan(0)
    },
  )

  it("the definition's spelling is preferred", () => {
    expect(matches('userName eq "b"', { USERNAME: 'a', userName: 'b' })).toBe(true)
  })

  it('an inherited member is not read', () => {
    expect(matches('userName pr', Object.create({ USERNAME: 'a' }))).toBe(false)
  })
})
