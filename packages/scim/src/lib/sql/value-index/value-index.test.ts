import { describe, expect, it } from 'vitest'
import { valueKeys } from '../../predicate/value-keys.ts'
import type { Attribute, Definitions } from '../../schema/types.ts'
import { renderSql } from '../dialect.ts'
import { indexedAttributes } from './attributes.ts'
import { indexRows } from './rows.ts'
import { valueIndex } from './value-index.ts'

// The keys and the paths are stored, so that a change of them needs a migration.

const LAST = '\u{10ffff}'
/** A digest for tests: the code units, in hexadecimal digits. */
const hash = (text: string) =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16)).join('')
const KEYS = valueKeys(hash)

const textKey = (text: string) => KEYS.of({ kind: 'text', caseExact: true }, text)
const numberKey = (value: number) => KEYS.of({ kind: 'number' }, value)?.key ?? ''

describe('a string key', () => {
  it.each(['', 'a', 'ä'.repeat(300), '\u{1f511}', '\ud7ff\ue000'])(
    'a short, storable string is its own key: %j',
    (text) => {
      expect(textKey(text)).toEqual({ key: text, isWhole: true })
    },
  )

  it.each([
    ['x'.repeat(301), 'x'.repeat(200)],
    ['ab\0c', 'ab'],
    [`ab${LAST}c`, 'ab'],
    ['ab\ud800c', 'ab'],
    ['\0', ''],
  ])('another string has a key with the start and a hash', (text, start) => {
    const { key = '', isWhole } = textKey(text) ?? {}
    expect([key.slice(0, start.length), isWhole]).toEqual([start, false])
    expect(key.slice(start.length)).toBe(LAST + hash(text))
    expect(textKey(`${text}y`)?.key).not.toBe(key)
    expect(textKey(text)?.key).toBe(key)
  })

  it('lone surrogates have different keys', () => {
    expect(textKey('\ud800')?.key).not.toBe(textKey('\ud801')?.key)
  })
})

it('number keys are ordered like the numbers', () => {
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

const ATTRIBUTES: readonly Attribute[] = [
  { name: 'title', type: 'string' },
  { name: 'Tags', type: 'string', multiValued: true },
  { name: 'codes', type: 'binary', multiValued: true },
  { name: 'secrets', type: 'string', multiValued: true, returned: 'never' },
  { name: 'written', type: 'string', multiValued: true, mutability: 'writeOnly' },
  { name: 'computed', type: 'string', multiValued: true, mutability: 'readOnly' },
  { name: 'days', type: 'dateTime', multiValued: true },
  {
    name: 'phones',
    type: 'complex',
    multiValued: true,
    subAttributes: [
      { name: 'Value', type: 'string' },
      { name: 'type', type: 'string' },
      { name: 'primary', type: 'boolean' },
      { name: 'cost', type: 'decimal' },
      { name: 'verified', type: 'boolean' },
    ],
  },
  {
    name: 'rooms',
    type: 'complex',
    multiValued: true,
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
    id: URN,
    name: 'Other',
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
} satisfies Definitions
const PREFIX = URN.toLowerCase()
const { all, byPath } = indexedAttributes(definitions, hash)

describe('the indexed attributes', () => {
  it('indexed attributes are multi-valued, and neither computed, hidden nor dates', () => {
    const paths = all.map(({ container, start, end, isComplex, isWhole }) => [
      container,
      start,
      end,
      isComplex,
      isWhole,
    ])
    expect(paths).toEqual([
      [null, 'tags#', 'tags$', false, true],
      [null, 'codes#', 'codes$', false, true],
      [null, 'phones#', 'phones$', true, true],
      [null, 'rooms#', 'rooms$', true, false],
      ...['tags', 'badges', 'links', 'schemas', 'id', 'externalid', 'meta'].map((name) => [
        URN,
        `${PREFIX}:${name}#`,
        `${PREFIX}:${name}$`,
        false,
        true,
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
  ])(
    'the schema %j and the name %j find indexed attributes (RFC 7644 §3.10)',
    (schema, attribute, at) => {
      const path = schema === null ? attribute : `${schema}:${attribute}`
      expect(byPath.get(path.toLowerCase())).toBe(at === null ? undefined : all[at])
    },
  )

  it('indexed attributes have parts with separate columns for type and primary', () => {
    const partsOf = (at: number) =>
      Array.from(all[at]?.parts ?? [], ([key, { name, kind, caseExact, path, column }]) => [
        key,
        name,
        kind,
        caseExact,
        path,
        column,
      ])
    expect(partsOf(0)).toEqual([['value', '', 'text', false, 'tags#', undefined]])
    expect(partsOf(1)).toEqual([['value', '', 'text', true, 'codes#', undefined]])
    expect(partsOf(2)).toEqual([
      ['value', 'Value', 'text', false, 'phones#value', undefined],
      ['type', 'type', 'text', false, 'phones#type', 'type_key'],
      ['primary', 'primary', 'boolean', false, 'phones#primary', 'is_primary'],
      ['cost', 'cost', 'number', false, 'phones#cost', undefined],
      ['verified', 'verified', 'boolean', false, 'phones#verified', undefined],
    ])
    expect(partsOf(3)).toEqual([
      ['value', 'value', 'text', true, 'rooms#value', undefined],
      ['type', 'type', 'number', false, 'rooms#type', undefined],
      ['primary', 'primary', 'text', false, 'rooms#primary', undefined],
    ])
    expect(partsOf(6)).toEqual([['value', '', 'text', false, `${PREFIX}:links#`, undefined]])
  })
})

describe("an attribute's path", () => {
  it.each([
    ['its name', 'x'.repeat(200), `${'x'.repeat(200)}#`],
    ['a hash for a long name', 'x'.repeat(201), expect.stringMatching(/^[\da-f]+#$/)],
    ['a hash for an unusual name', '$x', expect.stringMatching(/^[\da-f]+#$/)],
    ['a hash for another unusual name', 'x$', expect.stringMatching(/^[\da-f]+#$/)],
  ])('the path has %s', (_, name, start) => {
    const attributes = [{ name, type: 'string', multiValued: true }] as const
    const [attribute] = indexedAttributes({ a: { id: 'urn:a', name: 'A', attributes } }, hash).all
    expect(attribute?.start).toEqual(start)
  })
})

describe("a resource's index rows", () => {
  const row = { position: 0, value_key: null, type_key: null, is_primary: null }

  it('index rows cover the assigned parts, at least one for each element', () => {
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
    expect(indexRows(all, KEYS, resource)).toEqual([
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

  it('index rows have paths with a mark for hashes', () => {
    const long = 'x'.repeat(301)
    const { key } = textKey(long) ?? {}
    expect(indexRows(all, KEYS, { Tags: [long], phones: [{ type: long }] })).toEqual([
      { ...row, attribute: 'tags#*', value_key: key },
      { ...row, attribute: 'phones#type*', value_key: key, type_key: key },
    ])
  })

  it('an unassigned attribute does not have index rows (RFC 7643 §2.5)', () => {
    expect(indexRows(all, KEYS, { Tags: null, phones: [], [URN]: null })).toEqual([])
    expect(indexRows(all, KEYS, Object.create({ Tags: ['a'] }))).toEqual([])
  })
})

const part = { kind: 'text', caseExact: false } as const

it.each([
  [part, 'Ä', { key: 'ä', isWhole: true }],
  [{ ...part, caseExact: true }, 'Ä', { key: 'Ä', isWhole: true }],
  [part, 1, null],
  [{ ...part, kind: 'number' }, 1, { key: numberKey(1), isWhole: true }],
  [{ ...part, kind: 'number' }, '1', null],
  [{ ...part, kind: 'boolean' }, false, { key: 'false', isWhole: true }],
  [{ ...part, kind: 'boolean' }, 'false', null],
] as const)('a part has a key for the value: %j %j', (given, value, key) => {
  expect(KEYS.of(given, value)).toEqual(key)
})

describe('a changed resource', () => {
  const index = valueIndex(definitions, { table: 'index', on: { id: 'id' }, hash })
  const before = { Tags: ['a'], phones: [{ Value: 'x' }], [URN]: { badges: [1] } }

  const owner = { tenant_id: 't', id: 'a' }
  const update = (after: object) =>
    index
      .update({ owner, before, after: { ...before, ...after } }, 'sqlite')
      .map((statement) => renderSql(statement, 'sqlite'))

  it('a change rewrites the attributes whose values differ', () => {
    const range =
      'delete from "index" where "tenant_id" = ? and "id" = ? and "attribute" >= ? and "attribute" < ?'
    const columns =
      '"tenant_id", "id", "attribute", "position", "value_key", "type_key", "is_primary"'
    expect(update({ Tags: ['b'], [URN]: { badges: [] } })).toEqual([
      { sql: range, parameters: ['t', 'a', 'tags#', 'tags$'] },
      { sql: range, parameters: ['t', 'a', `${PREFIX}:badges#`, `${PREFIX}:badges$`] },
      {
        sql: `insert into "index" (${columns}) values (?, ?, ?, ?, ?, ?, ?)`,
        parameters: ['t', 'a', 'tags#', 0, 'b', null, null],
      },
    ])
  })

  it('a change rewrites nothing if no value differs', () => {
    expect(update({ title: 'x' })).toEqual([])
  })

  it('a statement inserts at most 32,766 values (SQLite)', () => {
    const resource = { Tags: Array.from({ length: 4_000 }, String) }
    const statements = index.insert(
      [
        { owner, resource },
        { owner, resource: before },
      ],
      'sqlite',
    )
    expect(statements.map(({ values }) => values.length)).toEqual([7 * 4_000, 7 * 3])
  })

  it.each([
    [20_000, true],
    [20_001, false],
  ])('a changed or new resource may have at most 20,000 rows: %i', (count, isAccepted) => {
    const resource = { Tags: Array.from({ length: count }, String) }
    const change = { owner, before: {}, after: resource }
    for (const write of [
      () => index.insert([{ owner, resource }], 'sqlite'),
      () => index.update(change, 'sqlite'),
    ]) {
      if (isAccepted) expect(write().length).toBeGreaterThan(0)
      else expect(write).toThrow(expect.objectContaining({ status: 400, scimType: 'tooMany' }))
    }
  })
})
