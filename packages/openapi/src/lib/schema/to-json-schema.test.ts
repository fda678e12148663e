import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { scope, type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from './standard-schema.ts'
import { convert, followReference } from './to-json-schema.ts'

function jsonOf(schema: Schema): unknown {
  const { value, fault } = convert(schema)
  if (fault) throw new Error(fault.message)
  const { $schema: _, ...json } = value.json
  return json
}

describe('values that are readonly in types are not readOnly in the document', () => {
  // OpenAPI 3.1.1 §4.8.24.1 and JSON Schema Validation §9.4: readOnly is for what only the server sets.
  it('is not readOnly if only the type of zod or Valibot is', () => {
    const list = { type: 'array', items: { type: 'string' } }
    expect(jsonOf(z.array(z.string()).readonly())).toEqual(list)
    expect(jsonOf(z.array(z.string()).readonly().optional())).toEqual(list)
    expect(jsonOf(toStandardJsonSchema(v.pipe(v.array(v.string()), v.readonly())))).toEqual(list)
  })

  it('is readOnly if the author declares it', () => {
    const text = { type: 'string', readOnly: true }
    expect(jsonOf(z.string().meta({ readOnly: true }))).toEqual(text)
    expect(jsonOf(z.string().meta({ readOnly: true }).readonly())).toEqual(text)
    expect(jsonOf(z.string().readonly().meta({ readOnly: true }))).toEqual(text)
    const wrapped = z.string().meta({ readOnly: true }).optional().default('a')
    expect(jsonOf(wrapped)).toEqual({ ...text, default: 'a' })
  })
})

it('finds the part that zod cannot convert, whatever follows it', () => {
  for (const other of [z.any(), z.unknown()]) {
    const { fault } = convert(z.object({ first: other, day: z.date(), last: other }))
    expect(fault?.path).toEqual(['properties', 'day'])
  }
})

describe('defaults of ArkType are in the JSON Schema of its input', () => {
  it('of properties, also within objects and lists', () => {
    const schema = type({
      a: 'number = 5',
      b: type('string[]').default(() => ['x']),
      c: type({ d: 'boolean = true', '[string]': 'unknown' }),
      e: type({ f: ['number', '=', 3] }).array(),
      g: type('string.numeric.parse').default('7'),
      'h?': 'string',
    })
    expect(jsonOf(schema)).toMatchObject({
      properties: {
        a: { type: 'number', default: 5 },
        b: { type: 'array', items: { type: 'string' }, default: ['x'] },
        c: { properties: { d: { type: 'boolean', default: true } } },
        e: { items: { properties: { f: { type: 'number', default: 3 } } } },
        g: { type: 'string', default: '7' },
        h: { type: 'string' },
      },
      required: ['c', 'e'],
    })
    expect(jsonOf(schema)).not.toHaveProperty('properties.h.default')
  })

  it('but not values that JSON does not have', () => {
    const schema = type({ a: type('unknown').default(() => 1n), b: 'number = 5' })
    expect(jsonOf(schema)).toEqual({
      type: 'object',
      properties: { a: {}, b: { type: 'number', default: 5 } },
    })
  })

  it('and not of a schema that contains itself, whose definitions have other names', () => {
    const { tree } = scope({ tree: { size: 'number = 1', kids: 'tree[]' } }).export()
    expect(convert(tree).value?.inexact).toEqual([])
  })
})

describe('a reference into the definitions', () => {
  const referTo = (name: number) => ({ $ref: `#/$defs/${name}` })
  /** A root that leads to a string by as many references. */
  const chain = (length: number) => ({
    ...referTo(1),
    $defs: Object.fromEntries(
      Array.from({ length }, (_, at) => [
        at + 1,
        at + 1 < length ? referTo(at + 2) : { type: 'string' },
      ]),
    ),
  })

  it('is followed 31 times', () => {
    expect(followReference(chain(31), chain(31))).toEqual({ type: 'string' })
    expect(followReference(chain(32), chain(32))).toBe(null)
  })

  it.each([
    ['a definition, without definitions', { $ref: '#/$defs/A' }],
    ['another place', { $ref: '#/properties/a', $defs: { null: { type: 'string' } } }],
  ])('leads to nothing: %s', (_, schema) => {
    expect(followReference(schema, schema)).toBe(null)
  })
})

it('of a brand, which values do not have, is empty', () => {
  expect(jsonOf(z.string().brand('Isbn'))).toEqual({ type: 'string' })
  expect(jsonOf(toStandardJsonSchema(v.pipe(v.string(), v.brand('Isbn'))))).toEqual({
    type: 'string',
  })
})

it('omits types that JSON Schema cannot express, in each library', () => {
  const schemas = [
    z.string().trim().toLowerCase().refine(Boolean),
    type('string').narrow(Boolean),
    toStandardJsonSchema(
      v.pipe(
        v.string(),
        v.trim(),
        v.toLowerCase(),
        v.check((text) => text !== ''),
      ),
    ),
  ]
  expect(schemas.map(jsonOf)).toEqual(schemas.map(() => ({ type: 'string' })))
})

const numbers = v.array(v.number())
const isTrue = () => true
const aFile = { type: 'string', format: 'binary', contentEncoding: 'binary' }

it.each<readonly [action: string, schema: v.GenericSchema, json: unknown]>([
  ['flavor', v.pipe(v.string(), v.flavor('Isbn')), { type: 'string' }],
  ['check', v.pipe(v.string(), v.check(isTrue)), { type: 'string' }],
  ['rawCheck', v.pipe(v.string(), v.rawCheck(isTrue)), { type: 'string' }],
  ['normalize', v.pipe(v.string(), v.normalize('NFC')), { type: 'string' }],
  ['toLowerCase', v.pipe(v.string(), v.toLowerCase()), { type: 'string' }],
  ['toUpperCase', v.pipe(v.string(), v.toUpperCase()), { type: 'string' }],
  ['trim', v.pipe(v.string(), v.trim()), { type: 'string' }],
  ['trimStart', v.pipe(v.string(), v.trimStart()), { type: 'string' }],
  ['trimEnd', v.pipe(v.string(), v.trimEnd()), { type: 'string' }],
  [
    'checkItems',
    v.pipe(numbers, v.checkItems(isTrue)),
    { type: 'array', items: { type: 'number' } },
  ],
  [
    'partialCheck',
    v.pipe(v.object({ a: v.string() }), v.partialCheck([['a']], isTrue)),
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  ],
  ['size', v.pipe(v.blob(), v.size(1)), aFile],
  ['notSize', v.pipe(v.blob(), v.notSize(2)), aFile],
  ['minSize', v.pipe(v.blob(), v.minSize(1)), aFile],
  ['maxSize', v.pipe(v.blob(), v.maxSize(3)), aFile],
])('the action %s of Valibot, which JSON Schema does not have, is omitted', (_, schema, json) => {
  expect(jsonOf(toStandardJsonSchema(schema))).toEqual(json)
})

// JSON Schema Validation §6.1.2: `enum` lists the values.
it('of values that Valibot lists, or excludes, is an enum', () => {
  const listed = v.pipe(v.string(), v.values(['a', 'b']))
  expect(jsonOf(toStandardJsonSchema(listed))).toEqual({ type: 'string', enum: ['a', 'b'] })
  const excluded = v.pipe(v.string(), v.notValues(['a', 'b']))
  expect(jsonOf(toStandardJsonSchema(excluded))).toEqual({
    type: 'string',
    not: { enum: ['a', 'b'] },
  })
})

describe('files and finite numbers of Valibot', () => {
  const binary = { type: 'string', format: 'binary', contentEncoding: 'binary' }
  const jsonOfValibot = (schema: v.GenericSchema) => jsonOf(toStandardJsonSchema(schema))

  it.each([
    ['file', v.file()],
    ['blob', v.blob()],
    ['file with a maximum size', v.pipe(v.file(), v.minSize(1), v.maxSize(9))],
  ])('a %s is a string of bytes, as zod writes it', (_, schema) => {
    expect(jsonOfValibot(schema)).toEqual(binary)
    expect(jsonOf(z.file())).toEqual(binary)
  })

  it('mimeType is the media type, or one branch for each of several, as zod writes them', () => {
    const types = ['image/png', 'image/webp'] as const
    const one = v.pipe(v.blob(), v.mimeType(['image/png']))
    expect(jsonOfValibot(one)).toEqual(jsonOf(z.file().mime('image/png')))
    const several = v.pipe(v.file(), v.mimeType([...types]))
    expect(jsonOfValibot(several)).toEqual(jsonOf(z.file().mime([...types])))
  })

  it('finite adds nothing, because JSON has finite numbers only (RFC 8259 §6)', () => {
    expect(jsonOfValibot(v.pipe(v.number(), v.finite()))).toEqual({ type: 'number' })
    expect(jsonOfValibot(v.pipe(v.number(), v.finite(), v.maxValue(5)))).toEqual({
      type: 'number',
      maximum: 5,
    })
  })
})
