import { accepts } from '@plumbline/base'
import type { OpenAPI } from '@plumbline/openapi'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validatorOf } from '../../../../openapi/test/oracle.ts'
import { breaksOf } from './breaks.ts'
import { createValues } from './values.ts'

const components = {
  Tree: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' }, maxItems: 3 },
    },
    required: ['name'],
    additionalProperties: false,
  },
  Pet: {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'cat' }, purrs: { type: 'boolean' } },
        required: ['kind', 'purrs'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'dog' }, age: { type: 'integer', minimum: 0 } },
        required: ['kind'],
      },
    ],
  },
}

/** Schemas with each keyword of validation that schema libraries write. */
const SCHEMAS: readonly OpenAPI.Schema[] = [
  true,
  { type: 'null' },
  { type: ['string', 'null'], maxLength: 3 },
  { type: 'boolean' },
  { enum: ['a', 1, null, { b: [1] }] },
  { const: { a: [1, { b: 'c' }] } },
  { type: 'integer', minimum: -3, maximum: 12, multipleOf: 3 },
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  { type: 'number', multipleOf: 0.25 },
  { type: 'string', minLength: 2, maxLength: 4 },
  { type: 'string', pattern: '^[a-c]{2,3}$' },
  { type: 'string', pattern: '^[^\\u0000]*$', minLength: 1, maxLength: 200 },
  { type: 'string', allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
  { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
  { type: 'array', items: { type: 'integer' }, uniqueItems: true, minItems: 2 },
  { type: 'array', prefixItems: [{ type: 'string' }, { type: 'null' }], items: false, minItems: 2 },
  { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 2 },
  { type: 'object', additionalProperties: { type: 'null' }, propertyNames: { pattern: '^x' } },
  {
    type: 'object',
    patternProperties: { '^x-': { type: 'integer' } },
    additionalProperties: false,
  },
  {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer' } },
    required: ['a'],
    additionalProperties: false,
  },
  { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'integer' } } }] },
  {
    anyOf: [
      { type: 'string', maxLength: 1 },
      { type: 'integer', maximum: 3 },
    ],
  },
  { not: { type: 'string' } },
  { $ref: '#/components/schemas/Tree' },
  { $ref: '#/components/schemas/Pet', description: 'A pet' },
  { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
]
const document = {
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  components: { schemas: components },
}
const name = (schema: OpenAPI.Schema) => JSON.stringify(schema).slice(0, 80)
const ROWS = SCHEMAS.map((schema) => [name(schema), schema] as const)
const valuesOf = createValues(fc, components)
/** The other validator rounds: for it, -2.5e-10 is a multiple of 0.25. */
const isNotTiny = (value: unknown) =>
  typeof value !== 'number' || value === 0 || Math.abs(value) > 1e-6

describe('the validator for generated requests', () => {
  it.each(ROWS)('the validator agrees with an independent one about %s', async (_, schema) => {
    const validate = await validatorOf(document, schema)
    const others = breaksOf(schema, '', components).flatMap((one) => valuesOf(one.schema) ?? [])
    const values = [valuesOf(schema) ?? fc.constant(null), ...others, fc.jsonValue()]
    fc.assert(
      fc.property(fc.oneof(...values).filter(isNotTiny), (value) => {
        expect(accepts(schema, value, components)).toBe(validate(value))
      }),
      { numRuns: 200 },
    )
  })
})

describe('generated schema values', () => {
  it.each(ROWS)('nearly all values fit %s', (_, schema) => {
    const sample = fc.sample(valuesOf(schema) ?? fc.constant(undefined), { numRuns: 200, seed: 1 })
    const fitting = sample.filter(
      (value) => value !== undefined && accepts(schema, value, components),
    )
    expect(fitting.length).toBeGreaterThan(100)
  })

  it('a schema that accepts nothing does not have values', () => {
    for (const schema of [false, { not: {} }, { type: 'integer', minimum: 2, maximum: 1 }]) {
      expect(valuesOf(schema)).toBe(null)
    }
  })

  it('strings include the longest and the shortest allowed', () => {
    const sample = fc.sample(valuesOf({ type: 'string', maxLength: 300 }) ?? fc.constant(''), {
      numRuns: 200,
      seed: 1,
    })
    const lengths = new Set(sample.map((text) => String(text).length))
    expect([lengths.has(0), lengths.has(300)]).toEqual([true, true])
  })
})

describe('schema constraints', () => {
  const broken = (schema: OpenAPI.Schema) =>
    breaksOf(schema, '', components).flatMap((one) => {
      const sample = fc.sample(valuesOf(one.schema) ?? fc.constant(undefined), {
        numRuns: 50,
        seed: 1,
      })
      const value = sample.find((each) => each !== undefined && !accepts(schema, each, components))
      return value === undefined ? [] : [one.pointer]
    })

  it.each([
    [{ type: 'string', minLength: 1, maxLength: 3 }, ['/type', '/minLength', '/maxLength']],
    [{ type: 'string', pattern: '^[^\\u0000]*$' }, ['/type', '/pattern']],
    [{ type: 'string', format: 'uuid' }, ['/type', '/format']],
    [{ enum: ['a', 'b'] }, ['/enum']],
    [
      { type: 'integer', minimum: 0, exclusiveMaximum: 9, multipleOf: 3 },
      ['/type', '/minimum', '/exclusiveMaximum', '/multipleOf'],
    ],
    [
      { type: 'array', items: { type: 'null' }, minItems: 1, maxItems: 2, uniqueItems: true },
      ['/type', '/minItems', '/uniqueItems', '/items/type'],
    ],
    [
      { type: 'array', items: { type: 'integer' }, uniqueItems: true },
      ['/type', '/uniqueItems', '/items/type'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'null' }, maxProperties: 1 },
      ['/type', '/maxProperties', '/additionalProperties/type'],
    ],
    [
      { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 2 }] },
      ['/anyOf/0/type', '/anyOf/1/type', '/anyOf/1/maxLength'],
    ],
    [
      { $ref: '#/components/schemas/Tree' },
      [
        '/components/schemas/Tree/type',
        '/components/schemas/Tree/required',
        '/components/schemas/Tree/additionalProperties',
        '/components/schemas/Tree/properties/name/type',
        '/components/schemas/Tree/properties/name/minLength',
        '/components/schemas/Tree/properties/children/type',
        '/components/schemas/Tree/properties/children/maxItems',
      ],
    ],
  ] satisfies [OpenAPI.Schema, string[]][])(
    'each constraint in %j can be broken',
    (schema, pointers) => {
      expect(broken(schema)).toEqual(pointers)
    },
  )
})
