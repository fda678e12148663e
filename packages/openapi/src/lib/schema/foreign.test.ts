import { ISSUES_SCHEMA } from '@plumbline/problem'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import * as z3 from 'zod/v3'
import type { Schema } from './standard-schema.ts'
import { convert } from './to-json-schema.ts'

/** Passes a value where the types demand a schema, as a program without types may. */
const loose = (value: unknown): z.ZodType => value as z.ZodType

function faultOf(schema: unknown) {
  const { fault } = convert(schema as Schema)
  return fault && { message: fault.message, remedy: fault.remedy, path: fault.path }
}

const MINI = 'a schema of zod Mini, or of zod before 4.2, does not convert itself to JSON Schema'
const CONVERT_MINI = 'call toStandardJsonSchema of @plumbline/problem/zod-mini with'
const withZod = 'write this part with zod'
const ofZod = (name: string, remedy = withZod) => ({
  message: `${name} is not a zod schema`,
  remedy,
})

describe('a foreign part in a zod schema', () => {
  it.each<[what: string, part: unknown, advice: { message: string; remedy: string }]>([
    [
      'the list of issues',
      ISSUES_SCHEMA,
      ofZod(
        'ISSUES_SCHEMA of @plumbline/problem',
        'import it from @plumbline/problem/zod, or use a record of schemas as extensions',
      ),
    ],
    ['a schema of Valibot', v.object({}), ofZod('a schema of valibot')],
    [
      'a converted schema of Valibot',
      toStandardJsonSchema(v.object({})),
      ofZod('a schema of valibot'),
    ],
    ['a schema of ArkType', type('string'), ofZod('a schema of arktype')],
    ['undefined', undefined, ofZod('undefined', 'define it before it is used, or use a getter')],
    ['null', null, ofZod('null')],
    ['a class', class Book {}, ofZod('the function Book')],
    ['a class of the platform', File, ofZod('the function File')],
    ['a JSON Schema', { type: 'string' }, ofZod('a value of type object')],
    ['a string', 'string', ofZod('a value of type string')],
    [
      'a schema of zod 3',
      { _def: {}, '~standard': { version: 1, vendor: 'zod', validate: () => ({}) } },
      {
        message: 'the schema is of zod 3, or a result of toStandardJsonSchema',
        remedy: 'use the schema itself, of zod 4',
      },
    ],
    [
      'a schema of zod Mini',
      mini.string(),
      {
        message: MINI,
        remedy: `${CONVERT_MINI} the outermost schema`,
      },
    ],
  ])('the message names the part and the remedy: %s', (_, part, advice) => {
    const path = ['properties', 'a']
    expect(faultOf(z.object({ first: z.string(), a: loose(part) }))).toEqual({ ...advice, path })
  })

  const part = loose(v.string())
  it.each<[what: string, schema: z.ZodType, path: readonly (string | number)[]]>([
    ['a list', z.array(part), ['items']],
    ['a tuple', z.tuple([z.string(), part]), ['prefixItems', 1]],
    ['the rest of a tuple', z.tuple([z.string()], z.array(part)), ['items', 'items']],
    ['a tuple without a rest', z.tuple([z.array(part)]), ['prefixItems', 0, 'items']],
    ['a union', z.union([z.string(), part]), ['anyOf', 1]],
    ['an exclusive union', z.xor([z.string(), part]), ['oneOf', 1]],
    ['an intersection', z.intersection(z.object({}), part), ['allOf', 1]],
    ['a record', z.record(z.string(), z.array(part)), ['additionalProperties', 'items']],
    ['other keys', z.object({}).catchall(part), ['additionalProperties']],
    ['an optional value', z.optional(part), []],
    ['a lazy value', z.object({ a: z.lazy(() => part) }), ['properties', 'a']],
    ['a pipe', z.pipe(z.unknown(), part), []],
  ])('the part is found in %s', (_, schema, path) => {
    expect(faultOf(schema)).toEqual({ ...ofZod('a schema of valibot'), path })
  })

  it('the part is found in a recursive schema', () => {
    const Tree = z.object({
      get kids() {
        return z.array(Tree)
      },
      leaf: part,
    })
    expect(faultOf(Tree)?.path).toEqual(['properties', 'leaf'])
  })
})

describe('a foreign part in a Valibot schema', () => {
  it.each<[what: string, part: unknown]>([
    ['a zod schema', z.string()],
    ['undefined', undefined],
    ['a string', 'string'],
  ])('the part is named if the conversion throws: %s', (_, part) => {
    const schema = v.object({ a: part as v.GenericSchema })
    expect(faultOf(toStandardJsonSchema(schema))).toEqual({
      message: expect.stringMatching(/^a part of the Valibot schema is not one itself \(.*\)$/),
      remedy: 'write each part with Valibot',
      path: [],
    })
  })

  it('the part is reported if the conversion accepts it', () => {
    const schema = v.object({ a: mini.string() as unknown as v.GenericSchema })
    expect(convert(toStandardJsonSchema(schema)).value?.inexact).toEqual([
      {
        part: 'a schema of another library within a Valibot schema',
        remedy: 'write this part with Valibot',
        path: [],
      },
    ])
  })
})

it('the search ends even if a lazy schema is new at each call', () => {
  const make = (): z.ZodType => z.object({ a: z.lazy(() => make()) })
  expect(faultOf(make())?.message).toMatch(/call stack/)
})

it("a getter's exception is reported unchanged", () => {
  const broken = z.lazy((): z.ZodType => {
    throw new Error('not yet')
  })
  const message = 'not yet'
  const remedy = 'use a schema for the value that is sent'
  expect(faultOf(z.object({ a: broken }))).toEqual({ message, remedy, path: [] })
  const Later = z.object({
    get a(): z.ZodType {
      throw new Error('not yet')
    },
  })
  expect(faultOf(Later)).toMatchObject({ message, remedy })
})

describe('a schema without a conversion', () => {
  const standard = (vendor: string) => ({
    '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }) },
  })
  it.each<[what: string, schema: unknown, message: string, remedy: string]>([
    [
      'a Valibot schema',
      v.object({}),
      'a schema of valibot does not convert itself to JSON Schema',
      'call toStandardJsonSchema of @valibot/to-json-schema with it',
    ],
    ['a zod Mini schema', mini.object({}), MINI, `${CONVERT_MINI} it, or use zod 4.2`],
    ['a zod 3 schema', z3.object({}), MINI, 'use zod 4.2'],
    [
      "another library's schema",
      standard('acme'),
      'a schema of acme does not convert itself to JSON Schema',
      'use a schema of zod or ArkType',
    ],
    [
      'a JSON Schema',
      { type: 'string' },
      'a value of type object is not a schema',
      'use a schema of zod or ArkType',
    ],
  ])('the message names the schema and the remedy: %s', (_, schema, message, remedy) => {
    expect(faultOf(schema)).toEqual({ message, remedy, path: [] })
  })
})
