import { isFailure, unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'

const text = z.object({ kind: z.literal('text'), value: z.string() })
const number = z.object({ kind: z.literal('number'), value: z.int() })
const list = z.object({ kind: z.literal('list'), value: z.array(z.int()) })
const either = z.union([text, number, list])

const schemas: readonly (readonly [library: string, schema: Schema])[] = [
  ['zod', either],
  ['zod, discriminated', z.discriminatedUnion('kind', [text, number, list])],
  ['zod, named', z.union([text.meta({ id: 'Text' }), number, list]).meta({ id: 'Either' })],
  ['zod, asynchronous', either.refine(async () => true)],
  ['zod, intersected', either.and(z.object({ more: z.string().optional() }))],
  [
    'ArkType',
    type({ kind: '"text"', value: 'string' })
      .or({ kind: '"number"', value: 'number.integer' })
      .or({ kind: '"list"', value: 'number.integer[]' }),
  ],
  [
    'Valibot',
    toStandardJsonSchema(
      v.variant('kind', [
        v.object({ kind: v.literal('text'), value: v.string() }),
        v.object({ kind: v.literal('number'), value: v.pipe(v.number(), v.integer()) }),
        v.object({ kind: v.literal('list'), value: v.array(v.number()) }),
      ]),
    ),
  ],
]

const sent: readonly (readonly [query: string, expected: unknown])[] = [
  ['kind=text&value=5', { kind: 'text', value: '5' }],
  ['kind=number&value=5', { kind: 'number', value: 5 }],
  ['kind=list&value=5', { kind: 'list', value: [5] }],
  ['kind=list&value=5&value=6', { kind: 'list', value: [5, 6] }],
]

const route = { method: 'POST', pattern: '/x' } as const

/** Parses a query string from each location that is coerced like a query. */
async function parseEverywhere(schema: Schema, text: string) {
  const query = defineOperation('ask', route, { summary: 'Ask', query: schema })
  const body = { 'application/x-www-form-urlencoded': schema, 'multipart/form-data': schema }
  const send = defineOperation('send', route, { summary: 'Send', body })
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value)
  const post = (body: FormData | URLSearchParams) =>
    send.parse(new Request('http://h/x', { method: 'POST', body }))
  return [
    await query.parse(new Request(`http://h/x?${text}`, { method: 'POST' })),
    await post(new URLSearchParams(text)),
    await post(form),
  ] as const
}

describe.each(schemas)(
  'the alternative that accepts the other keys coerces a string: %s',
  (_, schema) => {
    it.each(sent)('the matching alternative coerces %s', async (text, expected) => {
      const [fromQuery, urlencoded, multipart] = await parseEverywhere(schema, text)
      expect(unwrap(fromQuery).query).toEqual(expected)
      expect(unwrap(urlencoded).body).toEqual(expected)
      expect(unwrap(multipart).body).toEqual(expected)
    })

    it.each([
      'kind=number&value=x',
      'kind=other&value=5',
      'value=5',
      'kind=number&value=5&value=6',
    ])('%s is rejected', async (text) => {
      for (const result of await parseEverywhere(schema, text)) {
        if (!isFailure(result)) throw new Error('the request was accepted')
        expect(result.error.code).toBe('invalid')
        expect(result.error.issues.length).toBeGreaterThan(0)
      }
    })
  },
)

it('the alternative that accepts the other keys coerces list elements', async () => {
  const numbers = z.object({ kind: z.literal('numbers'), value: z.array(z.int()) })
  const words = z.object({ kind: z.literal('words'), value: z.array(z.string()) })
  const pair = z.object({ kind: z.literal('pair'), value: z.tuple([z.string(), z.int()]) })
  for (const [kind, value] of [
    ['numbers', [5, 6]],
    ['words', ['5', '6']],
    ['pair', ['5', 6]],
  ] as const) {
    const schema = z.union([words, numbers, pair])
    const [fromQuery, urlencoded, multipart] = await parseEverywhere(
      schema,
      `kind=${kind}&value=5&value=6`,
    )
    expect(unwrap(fromQuery).query).toEqual({ kind, value })
    expect(unwrap(urlencoded).body).toEqual({ kind, value })
    expect(unwrap(multipart).body).toEqual({ kind, value })
  }
})

it('a value is rejected with the combined reading if no alternative accepts it', async () => {
  const schema = z.discriminatedUnion('kind', [text, number, list])
  for (const one of [schema, schema.refine(async () => true)]) {
    for (const result of await parseEverywhere(one, 'kind=number&value=x')) {
      expect(isFailure(result) && result.error.message).toMatch(/expected number, received string$/)
    }
  }
})

it('a string is tried as both if only one alternative accepts it as a list', async () => {
  const words = z.union([z.string().min(5), z.array(z.string())])
  const listed = z.object({ kind: z.literal('list'), value: words })
  for (const schema of [z.union([listed, text]), z.union([text, listed])]) {
    for (const [query, expected] of [
      ['kind=list&value=x', { kind: 'list', value: ['x'] }],
      ['kind=list&value=xxxxx', { kind: 'list', value: 'xxxxx' }],
      ['kind=text&value=x', { kind: 'text', value: 'x' }],
    ] as const) {
      const [fromQuery] = await parseEverywhere(schema, query)
      expect(unwrap(fromQuery).query).toEqual(expected)
    }
  }
})

it('alternatives that differ only in string types still coerce a string', async () => {
  const flag = z.object({ kind: z.literal('flag'), value: z.boolean() })
  for (const [query, expected] of [
    ['kind=text&value=5', { kind: 'text', value: '5' }],
    ['kind=number&value=5', { kind: 'number', value: 5 }],
    ['kind=flag&value=true', { kind: 'flag', value: true }],
    ['kind=text&value=true', { kind: 'text', value: 'true' }],
  ] as const) {
    const schema = z.union([text, number, flag])
    const [fromQuery, urlencoded, multipart] = await parseEverywhere(schema, query)
    expect(unwrap(fromQuery).query).toEqual(expected)
    expect(unwrap(urlencoded).body).toEqual(expected)
    expect(unwrap(multipart).body).toEqual(expected)
  }
})

it('alternatives are validated once if they coerce each key alike', async () => {
  let count = 0
  const one = z.union([
    z.object({ kind: z.literal('a'), value: z.int() }),
    z.object({ kind: z.literal('b'), value: z.int() }),
  ])
  const counted = one['~standard']
  const query: Schema = {
    '~standard': {
      ...counted,
      jsonSchema: counted.jsonSchema,
      validate: (value) => {
        count += 1
        return counted.validate(value)
      },
    },
  }
  const operation = defineOperation('ask', route, { summary: 'Ask', query })
  await operation.parse(new Request('http://h/x?kind=c&value=5', { method: 'POST' }))
  expect(count).toBe(1)
})

it('a schema that throws in each reading rejects the request, and the error keeps the cause', async () => {
  const broken = either.refine(() => {
    throw new TypeError('a bug in the schema')
  })
  const operation = defineOperation('ask', route, { summary: 'Ask', query: broken })
  const request = new Request('http://h/x?kind=text&value=5', { method: 'POST' })
  const result = await operation.parse(request)
  expect(isFailure(result) && result.error.cause).toEqual(new TypeError('a bug in the schema'))
})
