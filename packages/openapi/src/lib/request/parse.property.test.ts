import { isFailure, unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { character } from '../../../test/characters.ts'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import type { Route } from '../spec/route.ts'
import { OperationInputError } from './input-error.ts'

const names = [
  'n',
  'flag',
  'tags',
  'text',
  'object',
  'list',
  '__proto__',
  'constructor',
  'toString',
]
const keys = fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'grapheme', maxLength: 5 }))
const texts = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e3',
    '1e999',
    'true',
    'false',
    'null',
    '%',
    '%FF',
    '%E0%A4%A',
    '"',
    ',',
    '{}',
    '{"__proto__":{"polluted":true}}',
    '{"a":',
    '[{},[]]',
  ),
  fc.string({ unit: character, maxLength: 10 }),
  fc.double().map(String),
)

/** Search parts: well formed, and whatever else a URL can hold. */
const searches = fc.oneof(
  fc.array(fc.tuple(keys, texts)).map((pairs) => new URLSearchParams(pairs).toString()),
  fc.array(fc.tuple(keys, texts)).map((pairs) => pairs.map((pair) => pair.join('=')).join('&')),
  fc.string({ unit: character }),
)

/** Header values that fetch accepts: bytes without NUL, CR and LF. */
const values = fc
  .oneof(
    fc
      .array(fc.tuple(keys, texts), { maxLength: 4 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join(';')),
    texts,
  )
  .map((text) => text.replace(/[^\t\x20-\xFF]/g, '?').trim())

const contentTypes = fc.oneof(
  fc.constantFrom(
    'application/json',
    'Application/JSON; charset=utf-16',
    'application/x+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=X',
    'text/plain',
    '',
  ),
  values,
)

const bodies = fc.oneof(
  fc.constant(null),
  fc.json(),
  fc.json().map((text) => text.slice(0, -1)),
  searches,
  fc.uint8Array({ maxLength: 50 }),
  fc.array(fc.tuple(keys, texts), { maxLength: 3 }).map((fields) => multipart(fields)),
  fc.constant('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
)

function multipart(fields: readonly (readonly [name: string, value: string])[]): string {
  const parts = fields.map(
    ([name, value], at) =>
      `--X\r\nContent-Disposition: form-data; name="${name}"${HEADERS[at]}\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--X--\r\n`
}

const HEADERS = [
  '',
  '; filename="a"\r\nContent-Type: application/json',
  '; filename="a"\r\nContent-Type: image/png',
]

const requests = fc
  .record({
    search: searches,
    header: values,
    cookie: values,
    contentType: contentTypes,
    body: bodies,
  })
  .map(({ search, header, cookie, contentType, body }) => {
    const init = { method: 'POST', body: body as BodyInit | null }
    const request = new Request(new URL(`http://h/x?${search}`), init)
    request.headers.set('Tags', header)
    request.headers.set('Cookie', cookie)
    request.headers.set('Content-Type', contentType)
    return request
  })

const zodFields = z.object({
  n: z.number().optional(),
  flag: z.boolean().optional(),
  tags: z.array(z.int()).optional(),
  text: z.string().optional(),
})
const libraries: readonly (readonly [name: string, schema: Schema])[] = [
  ['zod', zodFields],
  ['zod, with all other keys', z.looseObject(zodFields.shape)],
  ['zod, of records', z.record(z.string(), z.unknown())],
  ['zod, of objects', zodFields.extend({ object: zodFields, list: z.array(zodFields) }).partial()],
  ['zod, of records of lists', z.record(z.string(), z.array(zodFields))],
  ['zod, later', zodFields.refine(async () => true)],
  [
    'ArkType',
    type({ 'n?': 'number', 'flag?': 'boolean', 'tags?': 'number.integer[]', 'text?': 'string' }),
  ],
  [
    'Valibot',
    toStandardJsonSchema(
      v.looseObject({
        n: v.optional(v.number()),
        flag: v.optional(v.boolean()),
        tags: v.optional(v.array(v.number())),
        text: v.optional(v.string()),
      }),
    ),
  ],
]

function operation(spec: Omit<OperationSpec, 'summary'>) {
  const full: OperationSpec = { summary: 'Send', ...spec }
  const route: Route = { method: 'POST', pattern: '/x/:n' }
  return defineOperation('send', route, full)
}

describe.each(libraries)('any client input (%s)', (_, schema) => {
  const parts = (['params', 'query', 'headers', 'cookies', 'body'] as const).map((part) =>
    operation({ [part]: schema }),
  )
  const forms = operation({ body: { 'application/json': schema, 'multipart/form-data': schema } })

  it('input is parsed or rejected, never throws, and does not change a prototype', async () => {
    const prototypes = () =>
      [Object.prototype, Array.prototype, Function.prototype].map((one) => Reflect.ownKeys(one))
    const before = prototypes()
    const routed = fc.dictionary(keys, fc.option(texts, { nil: undefined }))
    await fc.assert(
      fc.asyncProperty(requests, routed, async (request, params) => {
        for (const one of [...parts, forms]) {
          const result = await one.parse(request.clone(), params)
          if (isFailure(result)) {
            expect(result.error).toBeInstanceOf(OperationInputError)
            expect(result.error.issues.length).toBeGreaterThan(0)
          } else {
            for (const part of Object.values(result.data)) {
              if (typeof part !== 'object' || part === null || Array.isArray(part)) continue
              expect([Object.prototype, null]).toContain(Object.getPrototypeOf(part))
            }
          }
        }
        expect(prototypes()).toEqual(before)
      }),
      { numRuns: 60 },
    )
  })
})

it('every query key and value unnamed in the schema is kept, in order', async () => {
  const query: Schema = z.unknown()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(keys, texts)), async (pairs) => {
      const search = new URLSearchParams(pairs)
      const result = await operation({ query }).parse(new Request(`http://h/x?${search}`))
      const read = Object.entries(unwrap(result).query ?? {})
      for (const [key, value] of read) {
        const sent = search.getAll(key)
        expect(value).toEqual(sent.length > 1 ? sent : sent[0])
      }
      expect(new Set(read.map(([key]) => key))).toEqual(new Set(search.keys()))
    }),
  )
})

it('a query with 200,000 keys and a form with 100,000 values are read', {
  timeout: 60_000,
}, async () => {
  const schema = z.object({ tag: z.array(z.string()), last: z.int() })
  const keys = Array.from({ length: 200_000 }, (_, at) => `k${at}`).join('&')
  const query = operation({ query: schema })
  const read = await query.parse(new Request(`http://h/x?${keys}&tag=a&last=5`))
  expect(unwrap(read).query).toEqual({ tag: ['a'], last: 5 })
  const type = 'application/x-www-form-urlencoded'
  const headers = { 'Content-Type': type }
  const text = `${'tag=a&'.repeat(100_000)}last=5`
  const request = new Request('http://h/x', { method: 'POST', headers, body: text })
  const spec = { body: { [type]: schema }, formFields: 100_001 }
  expect(unwrap(await operation(spec).parse(request)).body).toMatchObject({
    tag: { length: 100_000 },
  })
})

it('a header list and a cookie header with 200,000 entries are read', {
  timeout: 60_000,
}, async () => {
  const many = Array.from({ length: 200_000 }, (_, at) => at)
  const request = new Request('http://h/x')
  request.headers.set('tags', many.join(','))
  request.headers.set('Cookie', `${many.map((at) => `k${at}=${at}`).join('; ')}; n=1`)
  const headers = z.object({ tags: z.array(z.int()) })
  const cookies = z.object({ n: z.int() })
  expect(unwrap(await operation({ headers, cookies }).parse(request))).toMatchObject({
    headers: { tags: { length: 200_000 } },
    cookies: { n: 1 },
  })
})
