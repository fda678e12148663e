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

describe('readonly types and readOnly in the document', () => {
  // OpenAPI 3.1.1 §4.8.24.1 and JSON Schema Validation §9.4: readOnly is for what only the server sets.
  it('a value is not readOnly if only its zod or Valibot type is', () => {
    const list = { type: 'array', items: { type: 'string' } }
    expect(jsonOf(z.array(z.string()).readonly())).toEqual(list)
    expect(jsonOf(z.array(z.string()).readonly().optional())).toEqual(list)
    expect(jsonOf(toStandardJsonSchema(v.pipe(v.array(v.string()), v.readonly())))).toEqual(list)
  })

  it('a value is readOnly if the author declares it', () => {
    const text = { type: 'string', readOnly: true }
    expect(jsonOf(z.string().meta({ readOnly: true }))).toEqual(text)
    expect(jsonOf(z.string().meta({ readOnly: true }).readonly())).toEqual(text)
    expect(jsonOf(z.string().readonly().meta({ readOnly: true }))).toEqual(text)
    const wrapped = z.string().meta({ readOnly: true }).optional().default('a')
    expect(jsonOf(wrapped)).toEqual({ ...text, default: 'a' })
  })
})

it('the part zod cannot convert is found, whatever follows it', () => {
  for (const other of [z.any(), z.unknown()]) {
    const { fault } = convert(z.object({ first: other, day: z.date(), last: other }))
    expect(fault?.path).toEqual(['properties', 'day'])
  }
})

describe('ArkType defaults in the JSON Schema input', () => {
  it('property defaults are included, also within objects and lists', () => {
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

  it('defaults unknown to JSON are left out', () => {
    const schema = type({ a: type('unknown').default(() => 1n), b: 'number = 5' })
    expect(jsonOf(schema)).toEqual({
      type: 'object',
      properties: { a: {}, b: { type: 'number', default: 5 } },
    })
  })

  it("a recursive schema's defaults are left out, because its definitions have other names", () => {
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

  it('a reference is followed 31 times', () => {
    expect(followReference(chain(31), chain(31))).toEqual({ type: 'string' })
    expect(followReference(chain(32), chain(32))).toBe(null)
  })

  it.each([
    ['a definition, without definitions', { $ref: '#/$defs/A' }],
    ['another place', { $ref: '#/properties/a', $defs: { null: { type: 'string' } } }],
  ])('a reference is null if it leads nowhere: %s', (_, schema) => {
    expect(followReference(schema, schema)).toBe(null)
  })
})

it('a brand adds nothing, because values do not have it', () => {
  expect(jsonOf(z.string().brand('Isbn'))).toEqual({ type: 'string' })
  expect(jsonOf(toStandardJsonSchema(v.pipe(v.string(), v.brand('Isbn'))))).toEqual({
    type: 'string',
  })
})

it('types are omitted if JSON Schema cannot express them, in each library', () => {
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
])('the Valibot action %s, which JSON Schema does not have, is omitted', (_, schema, json) => {
  expect(jsonOf(toStandardJsonSchema(schema))).toEqual(json)
})

// JSON Schema Validation §6.1.2: `enum` lists the values.
it('values listed or excluded in Valibot become an enum', () => {
  const listed = v.pipe(v.string(), v.values(['a', 'b']))
  expect(jsonOf(toStandardJsonSchema(listed))).toEqual({ type: 'string', enum: ['a', 'b'] })
  const excluded = v.pipe(v.string(), v.notValues(['a', 'b']))
  expect(jsonOf(toStandardJsonSchema(excluded))).toEqual({
    type: 'string',
    not: { enum: ['a', 'b'] },
  })
})

describe('Valibot files and finite numbers', () => {
  const binary = { type: 'string', format: 'binary', contentEncoding: 'binary' }
  const jsonOfValibot = (schema: v.GenericSchema) => jsonOf(toStandardJsonSchema(schema))

  it.each([
    ['file', v.file()],
    ['blob', v.blob()],
    ['file with a maximum size', v.pipe(v.file(), v.minSize(1), v.maxSize(9))],
  ])('a %s is a byte string, as zod writes it', (_, schema) => {
    expect(jsonOfValibot(schema)).toEqual(binary)
    expect(jsonOf(z.file())).toEqual(binary)
  })

  it('mimeType becomes the media type, or a branch for each, as zod writes it', () => {
    const types = ['image/png', 'image/webp'] as const
    const one = v.pipe(v.blob(), v.mimeType(['image/png']))
    expect(jsonOfValibot(one)).toEqual(jsonOf(z.file().mime('image/png')))
    const several = v.pipe(v.file(), v.mimeType([...types]))
    expect(jsonOfValibot(several)).toEqual(jsonOf(z.file().mime([...types])))
  })

  it('finite adds nothing, because JSON has only finite numbers (RFC 8259 §6)', () => {
    expect(jsonOfValibot(v.pipe(v.number(), v.finite()))).toEqual({ type: 'number' })
    expect(jsonOfValibot(v.pipe(v.number(), v.finite(), v.maxValue(5)))).toEqual({
      type: 'number',
      maximum: 5,
    })
  })
})
