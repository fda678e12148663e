import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { type AttributeNode, attributeIndex, resolveAttribute } from '../schema/attribute-index.ts'
import { GROUP_DEFINITION, USER_DEFINITION } from '../schema/core-schemas.ts'
import type { Attribute, Definitions, SchemaDefinition } from '../schema/types.ts'
import { createWorkBudget } from '../work-budget.ts'
import { definitions, matching, rejected, resource } from './compile.cases.ts'
import { compileElementFilter, compileFilter } from './compile.ts'
import { parseFilter } from './parse.ts'

const string = (name: string): Attribute => ({ name, type: 'string' })
const compile = (filter: string, allow?: readonly string[]) =>
  compileFilter(unwrap(parseFilter(filter)), allow ? { definitions, allow } : { definitions })

describe('a compiled filter matches as RFC 7644 §3.4.2.2 requires', () => {
  it.each(matching)('%s is %s: %s', (filter, matches) => {
    expect(unwrap(compile(filter))(resource)).toBe(matches)
  })
})

describe('pr requires a non-empty node in a complex attribute (RFC 7644 Table 3)', () => {
  it.each<[string, object, boolean]>([
    ['name pr', { name: {} }, false],
    ['name pr', { name: { givenName: null } }, false],
    ['name pr', { name: { givenName: '' } }, false],
    ['name pr', { name: { givenName: '', familyName: 'x' } }, true],
    ['emails pr', { emails: [{ value: '' }, {}] }, false],
    ['emails pr', { emails: [{ value: '' }, { primary: false }] }, true],
  ])('%s on %j is %s', (filter, shaped, present) => {
    expect(unwrap(compile(filter))(shaped)).toBe(present)
  })
})

it('pr accepts a stored value nested deeper than any attribute', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  expect(unwrap(compile('name pr'))({ name: { givenName: deep } })).toBe(true)
})

describe('null is compared with a complex value as a whole (RFC 7643 §2.5)', () => {
  it.each<[filter: string, shaped: object, matches: boolean]>([
    ['emails eq null', { emails: [{ type: 'work' }] }, false],
    ['emails ne null', { emails: [{ type: 'work' }] }, true],
    ['emails.value eq null', { emails: [{ type: 'work' }] }, true],
    ['emails eq null', { emails: [] }, true],
  ])('%s on %j is %s', (filter, shaped, matches) => {
    expect(unwrap(compile(filter))(shaped)).toBe(matches)
  })
})

it('a list is not a complex value for a single-valued attribute', () => {
  const matches = unwrap(compile('name.givenName eq "barbara"'))
  expect(matches({ name: { givenName: 'Barbara' } })).toBe(true)
  expect(matches({ name: [{ givenName: 'Barbara' }] })).toBe(false)
})

describe('members are read in any letter case (RFC 7643 §2.1)', () => {
  // Objects inherit members with some of these names.
  const complex = (name: string, part: string): Attribute => ({
    name,
    type: 'complex',
    subAttributes: [string(part)],
  })
  const thing = {
    id: 'urn:example:Thing',
    name: 'Thing',
    attributes: [
      string('title'),
      string('toString'),
      complex('name', 'givenName'),
      complex('badge', 'toLocaleString'),
      complex('isPrototypeOf', 'label'),
    ],
  }

  it.each<[filter: string, shaped: object, matches: boolean]>([
    ['title eq "b"', { TITLE: 'b' }, true],
    ['name.givenName eq "b"', { NAME: { givenName: 'b' } }, true],
    ['name.givenName eq "b"', { name: { GIVENNAME: 'b' } }, true],
    ['toString eq "b"', { TOSTRING: 'b' }, true],
    ['isPrototypeOf.label eq "b"', { isPrototypeOf: { label: 'b' } }, true],
    ['isPrototypeOf.label eq "b"', { ISPROTOTYPEOF: { LABEL: 'b' } }, true],
    ['isPrototypeOf.label pr', {}, false],
    ['badge.toLocaleString eq "b"', { badge: { TOLOCALESTRING: 'b' } }, true],
    ['badge.toLocaleString pr', { badge: {} }, false],
  ])('%s on %j is %s', (filter, shaped, matches) => {
    const options = { definitions: { [thing.id]: thing } }
    expect(unwrap(compileFilter(unwrap(parseFilter(filter)), options))(shaped)).toBe(matches)
  })
})

describe('a value with letters beyond ASCII in any letter case (RFC 7643 §2.2)', () => {
  it.each<[filter: string, userName: string, matches: boolean]>([
    ['userName eq "JOSÉ"', 'josé', true],
    ['userName eq "JOSÉ"', 'jose', false],
    ['userName eq "JOSÉ"', 'josés', false],
    ['userName ne "JOSÉ"', 'José', false],
    ['userName sw "É"', 'école', true],
    ['userName ew "É"', 'josé', true],
  ])('%s on %s is %s', (filter, userName, matches) => {
    expect(unwrap(compile(filter))({ userName })).toBe(matches)
  })
})

describe("a filter on an attribute's elements (RFC 7644 §3.5.2)", () => {
  const path = { schema: null, attribute: 'emails', subAttribute: null }
  const emails = resolveAttribute(attributeIndex(definitions), path) as AttributeNode
  const compileInside = (filter: string, budget = createWorkBudget()) =>
    compileElementFilter(unwrap(parseFilter(filter)), emails, budget)

  it("an element filter compares the element's parts, and reads boolean strings", () => {
    const matches = compileInside('type eq "Work" and primary eq "True"')
    expect(matches({ type: 'work', primary: true })).toBe(true)
    expect(matches({ type: 'work', primary: false })).toBe(false)
    expect(matches({ type: 'home', primary: true })).toBe(false)
  })

  it('an element filter has at most 1,000 comparisons', () => {
    const clauses = (count: number) => Array(count).fill('value eq "a"').join(' or ')
    expect(compileInside(clauses(1_000))({ value: 'A' })).toBe(true)
    expect(() => compileInside(clauses(1_001))).toThrow(
      expect.objectContaining({
        scimType: 'invalidFilter',
        message: 'a filter may have at most 1000 comparisons',
      }),
    )
  })

  it('an element filter costs one budget step per comparison', () => {
    const budget = createWorkBudget(10)
    compileInside('value eq "a" and type eq "b"', budget)({ value: 'a' })
    expect(budget.remaining).toBe(8)
  })

  it('an element filter accepts any sub-attribute, and no other name', () => {
    expect(() => compileInside('userName eq "b"')).toThrow('unknown attribute userName')
  })
})

it('a list is not a value for a single-valued attribute, whatever it contains', () => {
  const at = '2026-01-01T00:00:00Z'
  const matches = unwrap(compile(`meta.created eq "${at}"`))
  expect(matches({ meta: { created: at } })).toBe(true)
  expect(matches({ meta: { created: [at] } })).toBe(false)
})

describe('ne matches if a value differs, and also without values (RFC 7644 §3.4.2.2)', () => {
  it.each<[filter: string, shaped: object, matches: boolean]>([
    ['tags ne "x"', { tags: ['x', 'X'] }, false],
    ['tags ne "x"', { tags: ['x', 'y'] }, true],
    ['tags ne "x"', { tags: [] }, true],
    ['tags eq "x"', { tags: [] }, false],
    ['tags ne "x"', {}, true],
    ['emails.type ne "work"', { emails: [{ type: 'Work' }] }, false],
    ['emails.type ne "work"', { emails: [{ value: 'b' }] }, true],
    ['emails.type eq "work"', { emails: [{ value: 'b' }] }, false],
  ])('%s on %j is %s', (filter, shaped, matches) => {
    expect(unwrap(compile(filter))(shaped)).toBe(matches)
  })
})

describe('a stored value with another type differs from any value, and cannot be ordered', () => {
  it.each<[filter: string, shaped: object, matches: boolean]>([
    ['age eq 5', { age: '5' }, false],
    ['age ne 5', { age: '5' }, true],
    ['age ge 1', { age: '5' }, false],
    ['age le 9', { age: '5' }, false],
    ['score gt 1', { score: true }, false],
    ['score lt 9', { score: [5] }, false],
    ['userName eq "5"', { userName: 5 }, false],
    ['userName ne "5"', { userName: 5 }, true],
    ['userName ge ""', { userName: 5 }, false],
    ['userName le "z"', { userName: ['a'] }, false],
    ['userName co ""', { userName: {} }, false],
    ['code eq "5"', { code: 5 }, false],
    ['code sw ""', { code: 5 }, false],
    ['active eq true', { active: 'true' }, false],
    ['active ne true', { active: 'true' }, true],
    ['meta.created ge "2026-01-01T00:00:00Z"', { meta: { created: 'soon' } }, false],
    ['meta.created le "2026-01-01T00:00:00Z"', { meta: { created: 'soon' } }, false],
    ['meta.created le "2026-01-01T00:00:00Z"', { meta: { created: 0 } }, false],
    ['meta.created ne "2026-01-01T00:00:00Z"', { meta: { created: 'soon' } }, true],
  ])('%s on %j is %s', (filter, shaped, matches) => {
    expect(unwrap(compile(filter))(shaped)).toBe(matches)
  })
})

describe('the common attributes are compared case-sensitively (RFC 7643 §3.1)', () => {
  const shaped = {
    schemas: ['urn:X'],
    externalId: 'E-1',
    meta: { resourceType: 'User', location: 'https://example.com/U', version: 'W/"A"' },
  }

  it.each([
    ['schemas', 'urn:X'],
    ['externalId', 'E-1'],
    ['meta.resourceType', 'User'],
    ['meta.location', 'https://example.com/U'],
    ['meta.version', 'W/\\"A\\"'],
  ])('%s eq "%s" is case-sensitive', (path, value) => {
    expect(unwrap(compile(`${path} eq "${value}"`))(shaped)).toBe(true)
    expect(unwrap(compile(`${path} eq "${value.toLowerCase()}"`))(shaped)).toBe(false)
  })
})

describe('a filter over several resource types (RFC 7643 §3)', () => {
  const matches = (filter: string, shaped: object): boolean => {
    const several = {
      [USER_DEFINITION.id]: USER_DEFINITION,
      [GROUP_DEFINITION.id]: GROUP_DEFINITION,
    }
    return unwrap(compileFilter(unwrap(parseFilter(filter)), { definitions: several }))(shaped)
  }
  const user = { schemas: [USER_DEFINITION.id], userName: 'b', displayName: 'Babs' }
  const group = { schemas: [GROUP_DEFINITION.id], userName: 'b', displayName: 'Babs' }

  it("a filter tests each resource with its own type's definitions", () => {
    expect([user, group, user, group].map((one) => matches('displayName eq "babs"', one))).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('a resource does not match if its type gives the attribute another type', () => {
    const schemaOf = (type: 'string' | 'boolean'): SchemaDefinition => ({
      id: `urn:example:${type}`,
      name: type,
      attributes: [{ name: 'label', type }],
    })
    const several: Definitions = {
      'urn:example:string': schemaOf('string'),
      'urn:example:boolean': schemaOf('boolean'),
    }
    const filter = unwrap(parseFilter('label eq "a"'))
    const test = unwrap(compileFilter(filter, { definitions: several }))
    for (let at = 0; at < 2; at += 1) {
      expect(test({ schemas: ['urn:example:string'], label: 'a' })).toBe(true)
      expect(test({ schemas: ['urn:example:boolean'], label: 'a' })).toBe(false)
    }
  })

  it('a resource does not match if its type lacks the attribute', () => {
    expect([user, group].map((one) => matches('userName eq "b"', one))).toEqual([true, false])
  })
})

describe('an invalid filter is rejected as invalidFilter when it is compiled', () => {
  it.each(rejected)('the filter %s is rejected: %s', (filter) => {
    const result = compile(filter)
    expect(isFailure(result) && result.error).toMatchObject({
      status: 400,
      scimType: 'invalidFilter',
    })
  })
})

describe('the error for a filter that cannot be compiled (RFC 7644 §3.12)', () => {
  it.each<[filter: string, message: string, allow?: string[]]>([
    ['title pr and size eq 9', 'size eq 9: unknown attribute size'],
    ['userName[value pr]', 'userName[value pr]: userName is neither'],
    ['title pr', 'title pr: filtering by this attribute', ['userName']],
    ['userName gt null', `userName gt null: 'gt' cannot compare with null`],
    ['active gt true', `active gt true: 'gt' cannot compare values of type boolean`],
    ['userName eq 5', 'userName eq 5: the value must be a string, not 5'],
    ['emails.$ref eq 5', 'emails.$ref eq 5: the value must be a string, not 5'],
    ['photo eq 5', 'photo eq 5: the value must be a string, not 5'],
    ['active eq "yes"', 'active eq "yes": the value must be true or false, not "yes"'],
    ['age eq "5"', 'age eq "5": the value must be a number, not "5"'],
    ['score eq "5"', 'score eq "5": the value must be a number, not "5"'],
    ['meta.created eq 5', 'meta.created eq 5: the value must be a dateTime'],
    ['name eq "x"', `name eq "x": 'eq' cannot compare values of type complex`],
    [`age eq "${'5'.repeat(91)}"`, `age eq "${'5'.repeat(91)}": the value`],
    [`age eq "${'5'.repeat(92)}"`, `age eq "${'5'.repeat(92)}…: the value`],
  ])('the error for %s quotes the clause', (filter, message, allow) => {
    const result = compile(filter, allow)
    expect(isFailure(result) && result.error.message).toContain(message)
  })

  it('a value path inside a value path is rejected in a hand-built tree', () => {
    const inner = unwrap(parseFilter('emails[value pr]'))
    if (inner.type !== 'valuePath') throw new Error('not a value path')
    const value = { schema: null, attribute: 'value', subAttribute: null }
    const filter = { ...inner, filter: { ...inner, path: value } }
    const result = compileFilter(filter, { definitions })
    expect(isFailure(result) && result.error.message).toContain('value[value pr]: a value path')
  })
})

it('every compile option accepts an explicit undefined', () => {
  const options = { definitions, allow: undefined, budget: undefined }
  expect(unwrap(compileFilter(unwrap(parseFilter('title eq null')), options))(resource)).toBe(true)
})

describe('allow limits the attributes that a filter may name', () => {
  const allow = ['USERNAME', 'emails.value', 'name']

  it.each([
    'userName eq "x"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName pr',
    'emails.value pr',
    'emails eq "x"',
    'emails[value pr]',
    'name.givenName pr',
    'name pr',
  ])('allow accepts %s', (filter) => {
    expect(compile(filter, allow).status).toBe('success')
  })

  it.each([
    'title pr',
    'title eq "x"',
    'title eq null',
    'emails pr',
    'emails.type pr',
    'emails.type eq "work"',
    'emails[type pr]',
    'not (title pr)',
  ])('allow rejects %s', (filter) => {
    const result = compile(filter, allow)
    expect(isFailure(result) && result.error.scimType).toBe('invalidFilter')
  })

  it('allow accepts all attributes in a schema it names', () => {
    const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    expect(compile('department pr and manager eq "m1"', [department]).status).toBe('success')
    expect(compile('userName pr', [department]).status).toBe('failure')
  })

  it('allow accepts all sub-attributes in an attribute it names', () => {
    expect(compile('emails[type eq "work" and primary eq true]', ['emails']).status).toBe('success')
  })

  it('allow adds no attribute for a name missing from the definitions', () => {
    expect(compile('title pr', ['__proto__', 'constructor', '']).status).toBe('failure')
  })
})

describe('a resource of any shape', () => {
  it.each([
    [{}],
    [[]],
    [Object.create(null)],
    [{ emails: 'x', name: [], tags: { value: 1 }, meta: 5, userName: {} }],
    [
      {
        emails: [null, 1, 'x', [], [{ value: 'x' }]],
        tags: [[[]]],
        active: 'yes',
        age: Number.NaN,
      },
    ],
    [{ emails: { value: 'x', type: 'work' }, meta: { lastModified: 'soon' } }],
  ])('a predicate accepts %j without throwing', (shape) => {
    for (const [filter] of matching) expect(typeof unwrap(compile(filter))(shape)).toBe('boolean')
  })
})

it('50,000 clauses compile', () => {
  const text = Array.from({ length: 50_000 }, (_, at) => `userName eq "u${at}"`).join(' or ')
  expect(unwrap(compile(text))({ userName: 'U49999' })).toBe(true)
})

it('a filter does not match properties on a polluted prototype', () => {
  const inherited = Object.create({ userName: 'x', toString: 'x' })
  expect(unwrap(compile('toString pr'))(inherited)).toBe(false)
})

describe("a budget limits a compiled filter's work (RFC 7644 Table 9, tooMany)", () => {
  const users = (count: number, size: number) =>
    Array.from({ length: count }, () => ({
      emails: Array.from({ length: size }, (_, at) => ({ value: `u${at}@x.org`, type: 'work' })),
    }))
  const spentOn = (filter: string, shaped: object): number => {
    const budget = createWorkBudget()
    const { remaining } = budget
    unwrap(compileFilter(unwrap(parseFilter(filter)), { definitions, budget }))(shaped)
    return remaining - budget.remaining
  }

  it.each([
    ['userName eq "b"', {}, 1],
    ['userName eq "b" and not (title pr)', { userName: 'b' }, 2],
    ['emails.value co "z"', { emails: [{}, {}, {}] }, 1 + 3],
    ['emails co "z" or emails sw "y"', { emails: [{}, {}, {}] }, 2 + 2 * 3],
    ['emails[type eq "a" and value co "z"]', { emails: [{}, {}, {}] }, 2 + 2 * 3],
    ['emails pr', { emails: [{ value: '' }, { value: '' }] }, 1 + 2 + 2],
    ['userName eq "b"', { userName: 'b'.repeat(64) }, 1],
    ['userName eq "b"', { userName: 'b'.repeat(1_600) }, 1 + 100],
    ['code eq "b"', { code: 'b'.repeat(1_600) }, 1],
    ['code sw "b"', { code: 'b'.repeat(1_600) }, 1 + 100],
    ['userName co "ab"', { userName: 'b'.repeat(1_600) }, 1 + 100 + 25],
    [`userName co "${'a'.repeat(800)}"`, { userName: 'b'.repeat(1_600) }, 1 + 100 + 10_000],
  ])('%s costs one step per comparison and value', (filter, shaped, steps) => {
    expect(spentOn(filter, shaped)).toBe(steps)
  })

  it("a filter throws tooMany once all resources together exceed the request's budget", () => {
    const budget = createWorkBudget(1_000)
    const filter = unwrap(parseFilter('emails.value co "z"'))
    const matches = unwrap(compileFilter(filter, { definitions, budget }))
    const search = () => users(11, 100).filter(matches)
    expect(search).toThrow(
      expect.objectContaining({ name: 'ScimError', status: 400, scimType: 'tooMany' }),
    )
    expect(budget.remaining).toBe(0)
  })

  it('each resource gets a separate budget if the caller passes none', () => {
    const clauses = Array.from({ length: 1_000 }, (_, at) => `emails.value co "z${at}"`)
    const matches = unwrap(compile(clauses.join(' or ')))
    expect(users(3, 900).filter(matches)).toHaveLength(0)
    expect(() => users(1, 1_000).filter(matches)).toThrow('1000000 steps')
  })

  it('the budget and allow options accept an explicit undefined', () => {
    const options = { definitions, allow: undefined, budget: undefined }
    const filter = unwrap(parseFilter('userName pr'))
    expect(unwrap(compileFilter(filter, options))({ userName: 'b' })).toBe(true)
  })
})
