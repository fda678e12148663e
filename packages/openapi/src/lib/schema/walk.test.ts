import type { JsonObject } from '@plumbline/base'
import { describe, expect, it } from 'vitest'
import { mapSubschemas, someSchema } from './walk.ts'

// JSON Schema Core §10 and §11, and JSON Schema Validation §8.5.
const ONE = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const RECORDS = ['properties', 'patternProperties', 'dependentSchemas']
const PLAIN = ['const', 'enum', 'default', 'examples', '$ref', 'required', 'dependentRequired']

const wanted = { title: 'wanted' }
const isWanted = ({ title }: { readonly title?: unknown }) => title === 'wanted'

describe('a copy with other subschemas', () => {
  it.each(ONE)('the copy replaces the schema in %s', (keyword) => {
    const schema = { type: 'object', [keyword]: wanted }
    const copy = mapSubschemas(schema, (part, ...place) => ({ part, place }))
    expect(copy).toEqual({ type: 'object', [keyword]: { part: wanted, place: [keyword] } })
  })

  it.each(LISTS)('the copy replaces each schema in %s', (keyword) => {
    const copy = mapSubschemas({ [keyword]: [wanted, true] }, (part, ...place) => ({ part, place }))
    expect(copy).toEqual({
      [keyword]: [
        { part: wanted, place: [keyword, 0] },
        { part: true, place: [keyword, 1] },
      ],
    })
  })

  it.each(RECORDS)('the copy replaces each schema in %s, whatever the name', (keyword) => {
    const named = JSON.parse('{ "a": { "title": "wanted" }, "__proto__": true }')
    const copy = mapSubschemas({ [keyword]: named }, (_, ...place) => place)
    expect(JSON.stringify(copy)).toBe(
      JSON.stringify({ [keyword]: { a: [keyword, 'a'] } }).replace(
        '}}',
        `,"__proto__":["${keyword}","__proto__"]}}`,
      ),
    )
  })

  it.each(['$defs', ...PLAIN])('the copy keeps %s, which holds no value schemas', (keyword) => {
    const schema = { [keyword]: { properties: wanted, not: wanted } }
    expect(mapSubschemas(schema, () => 'replaced')).toEqual(schema)
  })

  it.each([...LISTS, ...RECORDS])('the copy keeps %s with another kind of value', (keyword) => {
    expect(mapSubschemas({ [keyword]: 5 }, () => 'replaced')).toEqual({ [keyword]: 5 })
  })
})

describe('searching for a schema', () => {
  it.each<readonly [where: string, schema: JsonObject]>([
    ['the schema itself', wanted],
    ...ONE.map((keyword) => [keyword, { [keyword]: wanted }] as const),
    ...LISTS.map((keyword) => [keyword, { [keyword]: [true, wanted] }] as const),
    ...RECORDS.map((keyword) => [keyword, { [keyword]: { a: true, b: wanted } }] as const),
    ['$defs', { $defs: { A: wanted } }],
    ['any depth', { items: { anyOf: [{ properties: { a: wanted } }] } }],
  ])('the search finds it in %s', (_, schema) => {
    expect(someSchema(schema, isWanted)).toBe(true)
  })

  it.each([true, null, 'wanted', undefined])(
    'the search does not test %s, which is not an object',
    (value) => {
      expect(someSchema(value, () => true)).toBe(false)
    },
  )

  it.each(PLAIN)('the search does not find it in %s values', (keyword) => {
    expect(someSchema({ [keyword]: wanted }, isWanted)).toBe(false)
    expect(someSchema({ [keyword]: [wanted] }, isWanted)).toBe(false)
  })
})
