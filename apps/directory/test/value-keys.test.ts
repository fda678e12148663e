import type { Discovery } from '@plumbline/scim/discovery'
import type { Filter } from '@plumbline/scim/filter'
import { describe, expect, it } from 'vitest'
import { type IndexedPart, indexedAttributes } from '../src/store/values/indexed-attributes.ts'
import { testOfComparison, testOfPresence } from '../src/store/values/part-test.ts'
import { afterStart, keyableStart, numberKey, textKey } from '../src/store/values/value-key.ts'
import { keyOf, valueRows } from '../src/store/values/value-rows.ts'

// The keys and the paths are stored, so that a change of them needs a migration.

const LAST = '\u{10ffff}'

describe('the key of a string', () => {
  it.each(['', 'a', 'ä'.repeat(300), '\u{1f511}', '\ud7ff\ue000'])(
    'is the string if it is short and storable: %j',
    (text) => {
      expect(textKey(text)).toEqual({ key: text, isWhole: true })
      expect(keyableStart(text)).toBe(text.slice(0, 200))
    },
  )

  it.each([
    ['x'.repeat(301), 'x'.repeat(200)],
    ['ab\0c', 'ab'],
    [`ab${LAST}c`, 'ab'],
    ['ab\ud800c', 'ab'],
    ['\0', ''],
  ])('has the start and a hash for another string', (text, start) => {
    const { key, isWhole } = textKey(text)
    expect([key.slice(0, start.length), isWhole]).toEqual([start, false])
    expect(key.slice(start.length)).toMatch(/^\u{10ffff}[\w-]{43}$/u)
    expect(keyableStart(text)).toBe(start)
    expect(textKey(`${text}y`).key).not.toBe(key)
    expect(textKey(text).key).toBe(key)
  })

  it('differs between lone surrogates', () => {
    expect(textKey('\ud800').key).not.toBe(textKey('\ud801').key)
  })
})

it('the keys of numbers are ordered as the numbers', () => {
  const numbers = [-Number.MAX_VALUE, -2, -1.5, -1, -5e-324, 0, 5e-324, 0.5, 1, 2, 10, 1e300]
  const keys = numbers.map(numberKey)
  expect(keys.toSorted()).toEqual(keys)
  expect(new Set(keys).size).toBe(numbers.length)
  expect(numberKey(-0)).toBe(numberKey(0))
  expect([numberKey(0), numberKey(1), numberKey(-1)]).toEqual([
    '8000000000000000',
    'bff0000000000000',
    '400fffffffffffff',
  ])
  expect(numberKey(-Number.MAX_VALUE)).toBe('0010000000000000')
})

it.each([
  ['a', 'b'],
  ['az', 'a{'],
  ['a\ud7ff', 'a\ue000'],
  ['\u{1f511}', '\u{1f512}'],
  ['\uffff', '\u{10000}'],
])('the first string after those that start with %j is %j', (start, next) => {
  expect(afterStart(start)).toBe(next)
})

const ATTRIBUTES: readonly Discovery.Attribute[] = [
  { name: 'title', type: 'string' },
  { name: 'Tags', type: 'string', multiValued: true },
  { name: 'codes', type: 'binary', multiValued: true },
  { name: 'secrets', type: 'string', multiValued: true, returned: 'never' },
  { name: 'written', type: 'string', multiValued: true, mutability: 'writeOnly' },
  { name: 'computed', type: 'string', multiValued: true, mutability: 'readOnly' },
  { name: 'days', type: 'dateTime', multiValued: true },
  {
    ...{ name: 'phones', type: 'complex', multiValued: true },
    subAttributes: [
      { name: 'Value', type: 'string' },
      { name: 'type', type: 'string' },
      { name: 'primary', type: 'boolean' },
      { name: 'cost', type: 'decimal' },
      { name: 'verified', type: 'boolean' },
    ],
  },
  {
    ...{ name: 'rooms', type: 'complex', multiValued: true },
    subAttributes: [
      { name: 'value', type: 'string', caseExact: true },
      { name: 'since', type: 'dateTime' },
      { name: 'type', type: 'integer' },
      { name: 'primary', type: 'string' },
    ],
  },
]
const URN = 'urn:example:1.0:Other'
const definitions = {
  core: { id: 'urn:example:1.0:Core', name: 'Core', attributes: ATTRIBUTES },
  other: {
    ...{ id: URN, name: 'Other' },
    attributes: [
      { name: 'tags', type: 'integer', multiValued: true },
      { name: 'badges', type: 'integer', multiValued: true },
      { name: 'links', type: 'reference', multiValued: true },
      { name: 'bags', type: 'complex', multiValued: true },
      ...['schemas', 'id', 'externalId', 'meta'].map(
        (name) => ({ name, type: 'string', multiValued: true }) as const,
      ),
    ],
  },
} satisfies Discovery.Definitions
const PREFIX = URN.toLowerCase()
const { all, find } = indexedAttributes(definitions)

describe('the attributes in the index', () => {
  it('are multi-valued, and neither computed, hidden nor dates', () => {
    const paths = all.map(({ container, start, end, isComplex, isWhole }) => [
      ...[container, start, end, isComplex, isWhole],
    ])
    expect(paths).toEqual([
      [null, 'tags#', 'tags$', false, true],
      [null, 'codes#', 'codes$', false, true],
      [null, 'phones#', 'phones$', true, true],
      [null, 'rooms#', 'rooms$', true, false],
      ...['tags', 'badges', 'links', 'schemas', 'id', 'externalid', 'meta'].map((name) => [
        ...[URN, `${PREFIX}:${name}#`, `${PREFIX}:${name}$`, false, true],
      ]),
    ])
  })

  it.each([
    [null, 'TAGS', 0],
    ['urn:example:1.0:core', 'tags', 0],
    [URN.toUpperCase(), 'tags', 4],
    [null, 'badges', 5],
    [null, 'title', null],
    [null, 'schemas', null],
    [null, 'id', null],
    [null, 'externalId', null],
    [null, 'meta', null],
    [URN, 'meta', 10],
    [URN, 'bags', null],
    ['urn:example:none', 'tags', null],
    [null, 'secrets', null],
  ])('are found by the schema %j and the name %j (RFC 7644 §3.10)', (schema, attribute, at) => {
    const found = find({ schema, attribute, subAttribute: null })
    expect(found).toBe(at === null ? null : all[at])
  })

  it('have parts with columns of their own for type and primary', () => {
    const partsOf = (at: number) =>
      Array.from(all[at]?.parts ?? [], ([key, { name, kind, caseExact, path, column }]) => [
        ...[key, name, kind, caseExact, path, column],
      ])
    expect(partsOf(0)).toEqual([['value', '', 'text', false, 'tags#', null]])
    expect(partsOf(1)).toEqual([['value', '', 'text', true, 'codes#', null]])
    expect(partsOf(2)).toEqual([
      ['value', 'Value', 'text', false, 'phones#value', null],
      ['type', 'type', 'text', false, 'phones#type', 'type_key'],
      ['primary', 'primary', 'boolean', false, 'phones#primary', 'is_primary'],
      ['cost', 'cost', 'number', false, 'phones#cost', null],
      ['verified', 'verified', 'boolean', false, 'phones#verified', null],
    ])
    expect(partsOf(3)).toEqual([
      ['value', 'value', 'text', true, 'rooms#value', null],
      ['type', 'type', 'number', false, 'rooms#type', null],
      ['primary', 'primary', 'text', false, 'rooms#primary', null],
    ])
    expect(partsOf(6)).toEqual([['value', '', 'text', false, `${PREFIX}:links#`, null]])
  })
})

describe('the path of an attribute has', () => {
  it.each([
    ['its name', 'x'.repeat(200), `${'x'.repeat(200)}#`],
    ['a hash of a long name', 'x'.repeat(201), expect.stringMatching(/^[\da-f]{64}#$/)],
    ['a hash of an unusual name', '$x', expect.stringMatching(/^[\da-f]{64}#$/)],
    ['a hash of another unusual name', 'x$', expect.stringMatching(/^[\da-f]{64}#$/)],
  ])('%s', (_, name, start) => {
    const attributes = [{ name, type: 'string', multiValued: true }] as const
    const [attribute] = indexedAttributes({ a: { id: 'urn:a', name: 'A', attributes } }).all
    expect(attribute?.start).toEqual(start)
  })
})

describe('the rows of a resource', () => {
  const row = { position: 0, value_key: null, type_key: null, is_primary: null }

  it('are those of its assigned parts, and at least one for each element', () => {
    const resource = {
      Tags: ['A', 'b'],
      phones: [
        { Value: 'X', type: 'Work', primary: true, cost: 1 },
        { type: 'home' },
        {},
        { primary: false, Value: 'y' },
      ],
      rooms: { value: 'R' },
      [URN]: { badges: [1] },
    }
    const work = { type_key: 'work', is_primary: true }
    expect(valueRows(all, resource)).toEqual([
      { ...row, attribute: 'tags#', value_key: 'a' },
      { ...row, attribute: 'tags#', position: 1, value_key: 'b' },
      { ...row, ...work, attribute: 'phones#value', value_key: 'x' },
      { ...row, ...work, attribute: 'phones#cost', value_key: numberKey(1) },
      { ...row, attribute: 'phones#', position: 1, type_key: 'home' },
      { ...row, attribute: 'phones#', position: 2 },
      { ...row, attribute: 'phones#value', position: 3, value_key: 'y', is_primary: false },
      { ...row, attribute: 'rooms#value', value_key: 'R' },
      { ...row, attribute: `${PREFIX}:badges#`, value_key: numberKey(1) },
    ])
  })

  it('have paths with a mark for hashes', () => {
    const long = 'x'.repeat(301)
    const { key } = textKey(long)
    expect(valueRows(all, { Tags: [long], phones: [{ type: long }] })).toEqual([
      { ...row, attribute: 'tags#*', value_key: key },
      { ...row, attribute: 'phones#type*', value_key: key, type_key: key },
    ])
  })

  it('do not exist for an attribute that is unassigned (RFC 7643 §2.5)', () => {
    expect(valueRows(all, { Tags: null, phones: [], [URN]: null })).toEqual([])
    expect(valueRows(all, Object.create({ Tags: ['a'] }))).toEqual([])
  })
})

const part: IndexedPart = {
  ...{ name: 'value', kind: 'text', caseExact: false, column: null },
  ...{ path: 'a#value', hashedPath: 'a#value*' },
}

it.each([
  [part, 'Ä', { key: 'ä', isWhole: true }],
  [{ ...part, caseExact: true }, 'Ä', { key: 'Ä', isWhole: true }],
  [part, 1, null],
  [{ ...part, kind: 'number' }, 1, { key: numberKey(1), isWhole: true }],
  [{ ...part, kind: 'number' }, '1', null],
  [{ ...part, kind: 'boolean' }, false, { key: 'false', isWhole: true }],
  [{ ...part, kind: 'boolean' }, 'false', null],
] as const)('the key of a value of a part: %j %j', (given, value, key) => {
  expect(keyOf(given, value)).toEqual(key)
})

describe('a comparison of a part', () => {
  type Row = readonly [
    Partial<IndexedPart>,
    Filter.Operator,
    Filter.Value,
    readonly [string, ...unknown[]] | null,
    boolean,
    boolean,
  ]
  const rows: readonly Row[] = [
    [{}, 'eq', 'A', ['c = ?', 'a'], true, true],
    [{ caseExact: true }, 'eq', 'A', ['c = ?', 'A'], true, true],
    [{}, 'eq', 1, null, true, true],
    [{}, 'ne', 'a', null, true, true],
    [{}, 'sw', 'Ab', ['c >= ? and c < ?', 'ab', 'ac'], true, true],
    [{ caseExact: true }, 'sw', 'Ab', ['c >= ? and c < ?', 'Ab', 'Ac'], true, true],
    [{}, 'sw', '', ['c is not null'], true, false],
    [{}, 'sw', 'a\0', ['c >= ? and c < ?', 'a', 'b'], false, true],
    [{}, 'co', 'A', [`c like ? escape '!'`, '%a%'], true, false],
    [{}, 'ew', 'A%_!', [`c like ? escape '!'`, '%a!%!_!!'], true, false],
    [{}, 'co', 'x'.repeat(301), ['1 = 0'], true, false],
    [{}, 'co', 'x'.repeat(300), [`c like ? escape '!'`, `%${'x'.repeat(300)}%`], true, false],
    [{}, 'ew', 'a\0', ['1 = 0'], true, false],
    [{}, 'gt', 'A', ['c > ?', 'a'], true, false],
    [{}, 'ge', 'A', ['c >= ?', 'a'], true, false],
    [{}, 'lt', 'A', ['c < ?', 'a'], true, false],
    [{}, 'le', 'A', ['c <= ?', 'a'], true, false],
    [{ caseExact: true }, 'le', 'A', ['c <= ?', 'A'], true, false],
    [{}, 'gt', 'a\0', null, true, false],
    [{ kind: 'number' }, 'gt', 1, ['c > ?', numberKey(1)], true, false],
    [{ kind: 'number' }, 'co', 1, null, true, false],
    [{ kind: 'number' }, 'sw', 1, null, true, false],
  ]
  it.each(rows)('%j %s %j', (over, operator, value, made, isExact, isIndexed) => {
    const test = testOfComparison({ ...part, ...over }, { operator, value }, () => false)
    if (made === null) return expect(test).toBeNull()
    const [text, ...values] = made
    expect(test).toMatchObject({ isExact, isIndexed })
    expect(test?.key('c')).toEqual({ text, values })
    expect(test?.paths).toEqual(operator === 'eq' ? ['a#value'] : ['a#value', 'a#value*'])
  })

  it('with a hash searches the rows with hashes', () => {
    const value = 'x'.repeat(301)
    const { key } = textKey(value)
    const equal = { path: 'a#value*', key }
    expect(testOfComparison(part, { operator: 'eq', value }, () => true)).toMatchObject({
      ...{ paths: ['a#value*'], isExact: true, isIndexed: true, equal },
    })
  })

  it('also selects the rows with hashes, which memory filters', () => {
    const test = testOfComparison(part, { operator: 'co', value: 'a' }, () => true)
    expect(test).toMatchObject({ isExact: false, isIndexed: false })
    expect(test?.key('c')).toEqual({
      text: `(c like ? escape '!' or c like ?)`,
      values: ['%a%', `%${LAST}%`],
    })
  })

  it('with nothing selects the rows that are not empty (RFC 7644 Table 3)', () => {
    const test = testOfPresence(part)
    expect(test).toMatchObject({ paths: ['a#value', 'a#value*'], isExact: true, isIndexed: false })
    expect(test.key('c')).toEqual({ text: 'c <> ?', values: [''] })
  })
})
