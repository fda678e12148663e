import { isFailure, isSuccess, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { GROUP_DEFINITION, USER_DEFINITION } from '../schema/core-schemas.ts'
import type { Attribute, AttributeType, Definitions } from '../schema/types.ts'
import { createWorkBudget } from '../work-budget.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'

function patch(resource: object, definitions: Definitions, ...Operations: object[]) {
  const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
  return applyPatch(resource, operations, { definitions })
}

describe('a value without members (RFC 7643 §2.5)', () => {
  const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
  const work = { value: 'b@work.com', type: 'work' }
  const home = { value: 'b@home.org' }
  const user = { userName: 'b', emails: [work, home] }

  it.each<[string, object, object[] | undefined]>([
    [
      'null for a value removes it',
      { op: 'replace', path: 'emails[type eq "work"]', value: null },
      [home],
    ],
    [
      'an empty string for a value removes it',
      { op: 'replace', path: 'emails[type eq "work"]', value: '' },
      [home],
    ],
    [
      'an empty object for a value removes it',
      { op: 'replace', path: 'emails[type eq "work"]', value: {} },
      [home],
    ],
    [
      'a value with only nulls is removed',
      { op: 'replace', path: 'emails[type eq "work"]', value: { value: null } },
      [home],
    ],
    [
      'null for the last part removes the value',
      { op: 'replace', path: 'emails[not (type pr)].value', value: null },
      [work],
    ],
    [
      'null for one of two parts keeps the value',
      { op: 'replace', path: 'emails[type eq "work"].value', value: null },
      [{ type: 'work' }, home],
    ],
    [
      'null for every value removes the attribute',
      { op: 'replace', path: 'emails[value pr]', value: null },
      undefined,
    ],
    [
      'an addition of null adds nothing',
      { op: 'add', path: 'emails[type eq "work"]', value: null },
      [work, home],
    ],
    [
      'an addition of an empty object adds nothing',
      { op: 'add', path: 'emails[type eq "work"]', value: {} },
      [work, home],
    ],
  ])('in a PATCH, %s', (_, operation, emails) => {
    const { emails: patched } = unwrap(patch(user, definitions, operation))
    expect(patched).toStrictEqual(emails)
  })

  it.each([
    ['emails.value', 'Operations[0]: emails.value must be a string'],
    ['emails[type eq "work"].value', 'Operations[0]: emails.value must be a string'],
    ['emails[type eq "other"].value', 'Operations[0]: emails.value must be a string'],
    ['photos.value', 'Operations[0]: photos.value must be a string'],
  ])('a wrong type at %s is reported with the path', (path, message) => {
    const result = patch(user, definitions, { op: 'add', path, value: 5 })
    expect(isFailure(result) && result.error.message).toBe(message)
  })
})

describe('an immutable list cannot change after it has values (RFC 7643 §7)', () => {
  const parts = [
    { name: 'value', type: 'string' as const },
    { name: 'note', type: 'string' as const },
  ]
  const rest = { multiValued: true, mutability: 'immutable' as const }
  const attributes = [
    { name: 'codes', type: 'string' as const, ...rest },
    { name: 'locks', type: 'complex' as const, ...rest, subAttributes: parts },
  ]
  const definitions = { 'urn:x': { id: 'urn:x', name: 'X', attributes } }
  const thing = { codes: ['a'], locks: [{ value: 'a', note: 'n' }, { value: 'b' }] }

  it.each([
    { op: 'add', path: 'codes', value: ['b'] },
    { op: 'replace', path: 'codes', value: ['b'] },
    { op: 'replace', path: 'codes', value: null },
    { op: 'remove', path: 'codes' },
    { op: 'remove', path: 'codes[value eq "a"]' },
    { op: 'add', path: 'locks', value: { value: 'c' } },
    { op: 'add', path: 'locks', value: { value: 'a', note: 'm' } },
    { op: 'add', path: 'locks[value eq "b"].note', value: 'n' },
    { op: 'add', path: 'locks[value eq "c"].note', value: 'n' },
    { op: 'replace', path: 'locks[value eq "a"]', value: { value: 'c' } },
    { op: 'replace', path: 'locks.note', value: 'm' },
    { op: 'remove', path: 'locks.note' },
    { op: 'remove', path: 'locks[value eq "a"]' },
    { op: 'remove', path: 'locks', value: [{ value: 'a' }] },
  ])('$op $path is rejected', (operation) => {
    const result = patch(thing, definitions, operation)
    expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType: 'mutability' })
  })

  it('an immutable list may be sent unchanged', () => {
    const operations = [
      { op: 'add', path: 'codes', value: 'a' },
      { op: 'replace', value: { codes: ['a'], locks: thing.locks } },
      { op: 'replace', path: 'locks[value eq "a"].note', value: 'n' },
    ]
    expect(unwrap(patch(thing, definitions, ...operations))).toBe(thing)
  })

  it('an immutable list may be set once', () => {
    const set = { op: 'add', path: 'codes', value: ['a', 'b'] }
    expect(unwrap(patch({}, definitions, set))).toStrictEqual({ codes: ['a', 'b'] })
    const again = { op: 'add', path: 'codes', value: ['c'] }
    expect(patch({}, definitions, set, again).status).toBe('failure')
  })
})

describe('a PATCH filter (RFC 7643 §2.3)', () => {
  const part = (name: string, type: AttributeType): Attribute => ({ name, type })
  const parts = [
    part('at', 'dateTime'),
    part('key', 'binary'),
    part('on', 'boolean'),
    part('link', 'reference'),
    part('size', 'integer'),
  ]
  const visits: Attribute = {
    name: 'visits',
    type: 'complex',
    multiValued: true,
    subAttributes: parts,
  }
  const definitions = { 'urn:x': { id: 'urn:x', name: 'X', attributes: [visits] } }
  const first = { at: '2026-01-31T12:00:00Z', key: 'QQ==', on: true, link: '/A', size: 1 }
  const second = { at: '2026-01-31T12:00:01Z', key: 'qq==', on: false, link: '/b', size: 2 }

  it.each([
    'at eq "2026-01-31T14:00:00+02:00"',
    'at lt "2026-01-31T12:00:01Z"',
    'key eq "QQ=="',
    'on eq true',
    'on eq "True"',
    'link eq "/a"',
    'size eq 1.0',
    'size eq 1 and link eq "/a"',
    'not (link eq "/b")',
    'link eq "/a" or size eq 3',
  ])('a PATCH with %s selects the same values as a list', (filter) => {
    const removal = { op: 'remove', path: `visits[${filter}]` }
    const patched = patch({ visits: [first, second] }, definitions, removal)
    expect(unwrap(patched)).toStrictEqual({ visits: [second] })
  })
})

describe('a required list keeps a value (RFC 7644 §3.5.2.2)', () => {
  const names = { name: 'names', type: 'string' as const, multiValued: true, required: true }
  const definitions = { 'urn:x': { id: 'urn:x', name: 'X', attributes: [names] } }
  const thing = { names: ['a', 'b'] }

  it.each([
    [{ op: 'remove', path: 'names' }],
    [{ op: 'remove', path: 'names[value pr]' }],
    [{ op: 'remove', path: 'names', value: ['a', 'b'] }],
    [{ op: 'replace', path: 'names', value: [] }],
    [{ op: 'replace', path: 'names[value pr]', value: null }],
    [
      { op: 'remove', path: 'names[value eq "a"]' },
      { op: 'remove', path: 'names[value eq "b"]' },
    ],
  ])('%j is mutability', (...operations) => {
    const result = patch(thing, definitions, ...operations)
    expect(isFailure(result) && result.error.scimType).toBe('mutability')
  })

  it('a required list keeps a value though two values were equal for a time', () => {
    const subAttributes = [
      { name: 'value', type: 'string' as const },
      { name: 'type', type: 'string' as const },
    ]
    const rest = { multiValued: true, required: true, subAttributes }
    const slots = { name: 'slots', type: 'complex' as const, ...rest }
    const result = patch(
      {
        slots: [
          { value: 'a', type: 'x' },
          { value: 'a', type: 'y' },
        ],
      },
      { 'urn:x': { id: 'urn:x', name: 'X', attributes: [slots] } },
      { op: 'replace', path: 'slots[value eq "a" and type eq "x"].value', value: 'b' },
      { op: 'replace', path: 'slots[value eq "b"].value', value: 'a' },
      { op: 'remove', path: 'slots[value eq "a"]' },
    )
    expect(isFailure(result) && result.error.scimType).toBe('mutability')
  })

  it('a required list may lose other values', () => {
    const patched = patch(thing, definitions, { op: 'remove', path: 'names[value eq "a"]' })
    expect(unwrap(patched)).toStrictEqual({ names: ['b'] })
  })
})

const LONG = 'b'.repeat(16_000)

/** The steps that an operation on a user spends from the budget. */
function stepsOf(resource: object, operation: object): number {
  const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
  const budget = createWorkBudget()
  const { remaining } = budget
  const parsed = parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: [operation] })
  const options = { definitions, tolerate: ['remove-missing'] as const, budget }
  unwrap(applyPatch({ userName: 'b', ...resource }, unwrap(parsed), options))
  return remaining - budget.remaining
}

describe('operations with a search through many values', () => {
  const definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
  const members = Array.from({ length: 50_000 }, (_, at) => ({ value: `m${at}`, display: 'x' }))
  const group = { displayName: 'g', members: [{ value: 'first', display: 'y' }, ...members] }

  it('many searches are tooMany before they cost too much (RFC 7644 Table 9)', () => {
    const search = { op: 'add', path: 'members[display co "y"].type', value: 'User' }
    const result = patch(group, definitions, ...Array(1_000).fill(search))
    expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType: 'tooMany' })
  })

  it('comparisons times values are tooMany if they cost too much (RFC 7644 Table 9)', () => {
    const terms = Array.from({ length: 900 }, (_, at) => `display co "z${at}"`).join(' or ')
    const result = patch(group, definitions, { op: 'remove', path: `members[${terms}]` })
    expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType: 'tooMany' })
  })

  it("operations spend from the request's shared budget (RFC 7644 Table 9)", () => {
    const budget = createWorkBudget(250_000)
    const Operations = [{ op: 'add', path: 'members[display co "y"].type', value: 'User' }]
    const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
    const apply = () => applyPatch(group, operations, { definitions, budget })
    expect(isSuccess(apply())).toBe(true)
    expect(isSuccess(apply())).toBe(true)
    expect(apply()).toMatchObject({ error: { status: 400, scimType: 'tooMany' } })
  })

  it('a path filter has at most 1,000 comparisons', () => {
    const path = (count: number) => `members[${Array(count).fill('display eq "y"').join(' or ')}]`
    const small = { displayName: 'g', members: [{ value: 'first', display: 'y' }] }
    const remove = (count: number) => ({ op: 'remove', path: path(count) })
    expect(unwrap(patch(small, definitions, remove(1_000)))).toStrictEqual({ displayName: 'g' })
    const result = patch(small, definitions, remove(1_001))
    expect(isFailure(result) && result.error).toMatchObject({
      scimType: 'invalidFilter',
      message: expect.stringContaining('a filter may have at most 1000 comparisons'),
    })
  })

  it.each([
    ['a title', { title: LONG }, { op: 'remove', path: 'title', value: 'x' }],
    ['a part', { emails: [{ value: LONG }] }, { op: 'remove', path: 'emails.value', value: 'x' }],
    [
      'a value',
      { emails: [{ display: LONG, type: 'work' }] },
      { op: 'remove', path: 'emails', value: [{ type: 'work', display: 'x' }] },
    ],
    [
      'a type',
      { emails: [{ value: 'x', type: LONG }] },
      { op: 'add', path: 'emails', value: [{ value: 'x', type: 'y' }] },
    ],
    [
      'a value added to an index',
      { addresses: [{ streetAddress: LONG, type: 'work' }] },
      { op: 'remove', path: 'addresses[streetAddress eq "x" and type eq "work"]' },
    ],
  ])('comparing a long string spends steps: %s', (_, resource, operation) => {
    expect(stepsOf(resource, operation)).toBeGreaterThanOrEqual(1_000)
  })

  it('each written value spends steps', () => {
    const emails = Array.from({ length: 100 }, (_, at) => ({ value: `b${at}@x.org` }))
    const operation = { op: 'replace', path: 'emails.display', value: 'z' }
    expect(stepsOf({ emails }, operation)).toBeGreaterThanOrEqual(20 * 100)
  })

  it('any number is accepted if an index finds the values (RFC 7644 §3.5.2.2)', () => {
    const removals = members.slice(0, 10_000).map(({ value }) => ({
      op: 'remove',
      path: `members[value eq "${value}"]`,
    }))
    expect(unwrap(patch(group, definitions, ...removals)).members).toHaveLength(40_001)
  })
})

describe('the cost of additions (RFC 7644 §3.5.2.1)', () => {
  const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
  const add = (path: string, value: object[], budget = createWorkBudget()) => {
    const Operations = [{ op: 'add', path, value }]
    const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
    const { remaining } = budget
    const result = applyPatch({ userName: 'b' }, operations, { definitions, budget })
    return { result, steps: remaining - budget.remaining }
  }
  const addresses = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ type: 'work', streetAddress: `${at} Main Street` }))
  const emails = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ value: 'b@x.org', type: `t${at}` }))

  it('additions are linear in values without a value sub-attribute', () => {
    const half = add('addresses', addresses(2_500))
    const whole = add('addresses', [...addresses(2_500), ...addresses(5_000).slice(2_500)])
    expect(unwrap(whole.result).addresses).toHaveLength(5_000)
    expect(whole.steps).toBeLessThanOrEqual(2 * half.steps)
  })

  it('an existing address is found whatever order its members have', () => {
    const [first, second] = [
      { type: 'work', locality: 'Oslo' },
      { locality: 'Oslo', type: 'work' },
    ]
    expect(unwrap(add('addresses', [first, second]).result).addresses).toStrictEqual([first])
  })

  it('removing addresses by value is linear', () => {
    const user = { userName: 'b', addresses: addresses(2_000) }
    const steps = (count: number): number =>
      stepsOf(user, { op: 'remove', path: 'addresses', value: addresses(count) })
    expect(steps(2_000)).toBeLessThanOrEqual(2 * steps(1_000))
  })

  it('additions are limited if very many values share the indexed part', () => {
    expect(unwrap(add('emails', emails(1_000)).result).emails).toHaveLength(1_000)
    expect(add('emails', emails(2_000)).result).toMatchObject({ error: { scimType: 'tooMany' } })
  })
})
