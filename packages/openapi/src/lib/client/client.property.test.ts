import { unwrap } from '@plumbline/result'
import { createMultiMatcher } from '@remix-run/route-pattern/match'
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AnyOperation, defineOperation } from '../operation.ts'
import { createClient } from './client.ts'
import type { RequestInput } from './write-request.ts'

/** A schema with a value that it accepts. */
interface Sample {
  readonly schema: z.ZodType
  readonly value: unknown
}

const sample = <Value>(schema: z.ZodType, values: Arbitrary<Value>): Arbitrary<Sample> =>
  values.map((value) => ({ schema, value }))

const texts = fc.string({ unit: 'grapheme' })
const numbers = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((one) => !Object.is(one, -0))

/** The values that one string carries. A string is never coerced if its schema accepts strings. */
const scalars = fc.oneof(
  sample(z.string(), texts),
  sample(z.number(), numbers),
  sample(z.int(), fc.maxSafeInteger()),
  sample(z.boolean(), fc.boolean()),
  sample(z.enum(['a', '1', 'true', '']), fc.constantFrom('a', '1', 'true', '')),
  sample(z.union([z.int(), z.boolean()]), fc.oneof(fc.maxSafeInteger(), fc.boolean())),
)

const lists = (min = 1) =>
  fc.oneof(
    sample(z.array(z.string()), fc.array(texts, { minLength: min, maxLength: 4 })),
    sample(z.array(z.int()), fc.array(fc.maxSafeInteger(), { minLength: min, maxLength: 4 })),
    sample(z.array(z.boolean()), fc.array(fc.boolean(), { minLength: min, maxLength: 4 })),
  )

/** JSON without -0, which JSON writes as 0, and without keys that are not own keys of every object. */
const json = fc
  .jsonValue({ noUnicodeString: false })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const details = fc.record({ name: texts, tags: fc.array(texts), size: fc.maxSafeInteger() })
const Details = z.object({ name: z.string(), tags: z.array(z.string()), size: z.int() })
const objects = fc.oneof(
  sample(Details, details),
  sample(z.array(Details), fc.array(details, { minLength: 1, maxLength: 3 })),
)
const files = fc
  .record({ bytes: fc.uint8Array(), name: fc.stringMatching(/^[a-z]{1,8}\.png$/) })
  .map(({ bytes, name }) => new File([bytes.slice()], name, { type: 'image/png' }))

/** An object of samples, each of which may be absent. */
function objectOf(fields: Arbitrary<Sample>, names: Arbitrary<string>): Arbitrary<Sample> {
  return fc.dictionary(names, fc.tuple(fields, fc.boolean()), { maxKeys: 5 }).map((given) => {
    const schema: Record<string, z.ZodType> = {}
    const value: Record<string, unknown> = {}
    for (const [name, [field, isSent]] of Object.entries(given)) {
      schema[name] = isSent ? field.schema : field.schema.optional()
      if (isSent) value[name] = field.value
    }
    return { schema: z.object(schema), value }
  })
}

const names = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/)
const anyName = fc.oneof(names, texts).filter((name) => !(name in {}))

/** RFC 9110 §5.5: a field value is visible ASCII here, without spaces around it. */
const fieldValues = fc.stringMatching(/^[!-~]([ -~]{0,8}[!-~])?$/)
const headerScalars = fc.oneof(
  sample(z.string(), fieldValues),
  sample(z.int(), fc.maxSafeInteger()),
  sample(z.boolean(), fc.boolean()),
  sample(z.array(z.int()), fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 3 })),
)
const headers = objectOf(
  headerScalars,
  names.map((name) => `x-${name}`),
)
const cookies = objectOf(scalars, names)

const bodies: Arbitrary<Sample & { readonly type: string | null }> = fc.oneof(
  sample(z.unknown(), json).map((one) => ({ ...one, type: 'application/json' })),
  objectOf(fc.oneof(scalars, lists(0), objects), anyName).map((one) => ({
    ...one,
    type: 'application/json',
  })),
  objectOf(fc.oneof(scalars, lists(), objects), anyName).map((one) => ({
    ...one,
    type: 'application/x-www-form-urlencoded',
  })),
  objectOf(fc.oneof(multipartTexts(), objects, sample(z.file(), files)), names).map((one) => ({
    ...one,
    type: 'multipart/form-data',
  })),
  sample(z.string(), texts).map((one) => ({ ...one, type: 'text/plain' })),
  fc.constant({ schema: z.undefined(), value: undefined, type: null }),
)

/** A multipart form converts line ends (HTML §4.10.21.8), so its strings do not have any here. */
function multipartTexts(): Arbitrary<Sample> {
  return fc.oneof(scalars, lists()).filter(({ value }) => !/\\[rn]/.test(JSON.stringify(value)))
}

const segments = texts.filter((text) => !['', '.', '..'].includes(text) && text.isWellFormed())
const routes = fc.oneof(
  fc.constant({ pattern: '/books', params: {} }),
  segments.map((bookId) => ({ pattern: '/books/:bookId', params: { bookId } })),
  fc.tuple(segments, segments).map(([a, b]) => ({ pattern: '/a/:a/b/:b.json', params: { a, b } })),
  fc
    .array(
      segments.filter((text) => !text.includes('/')),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) => ({ pattern: '/files/*path', params: { path: all.join('/') } })),
)

/** The request that a client sends for an operation. */
async function requestOf(operation: AnyOperation, input: RequestInput): Promise<Request> {
  let sent: Request | undefined
  const client = createClient<Record<string, AnyOperation>>(
    { operation },
    {
      baseUrl: 'http://localhost/',
      fetch: async (url, init) => {
        sent = new Request(url, init)
        return new Response(null, { status: 204 })
      },
    },
  )
  await client.operation?.(input as never)
  if (sent === undefined) throw new Error('no request was sent')
  return sent
}

/** Files are compared by their names, media types and bytes. */
async function comparable(value: unknown): Promise<unknown> {
  if (value instanceof Blob) {
    const { name } = value as File
    return { file: name, type: value.type, bytes: [...new Uint8Array(await value.arrayBuffer())] }
  }
  if (Array.isArray(value)) return await Promise.all(value.map(comparable))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([key, one]) => [key, await comparable(one)])
  return Object.fromEntries(await Promise.all(entries))
}

describe('a client request', () => {
  it('parse reads every part back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        routes,
        objectOf(fc.oneof(scalars, lists()), anyName),
        headers,
        cookies,
        bodies,
        async ({ pattern, params }, query, headers, cookies, body) => {
          const route = { method: 'POST', pattern }
          const operation: AnyOperation = defineOperation('send', route, {
            summary: 'Send',
            query: query.schema,
            headers: headers.schema,
            cookies: cookies.schema,
            ...(body.type === null ? {} : { body: { [body.type]: body.schema } }),
            responses: { 204: { description: 'Done' } },
          })
          const values = {
            params,
            query: query.value,
            headers: headers.value,
            cookies: cookies.value,
            body: body.value,
          }
          const request = await requestOf(operation, values as RequestInput)
          const matcher = createMultiMatcher<true>()
          matcher.add(pattern, true)
          const matched = matcher.match(request.url)
          const parsed = unwrap(await operation.parse(request, matched?.params ?? {}))
          expect(await comparable(parsed)).toEqual(await comparable(values))
        },
      ),
      { numRuns: 300 },
    )
  })
})
