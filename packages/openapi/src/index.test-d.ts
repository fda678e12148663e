import { defineProblems } from '@plumbline/problem'
import { isFailure, type Result, unwrap } from '@plumbline/result'
import { route as routes } from '@remix-run/fetch-router/routes'
import { RoutePattern } from '@remix-run/route-pattern'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import {
  type AnyOperation,
  createDocument,
  defineOperation,
  type OpenAPI,
  type OpenAPIBuildError,
  type OperationInputError,
  type ParsedRequest,
  type PathParams,
  parse,
  type ResponseKey,
  stringify,
} from './index.ts'

declare const request: Request

// The parameters of a pattern

const show = { method: 'GET', pattern: '/books/:bookId' } as const
expectTypeOf<PathParams<typeof show>>().toEqualTypeOf<{ bookId: string }>()
expectTypeOf<keyof PathParams<{ method: 'GET'; pattern: '/books' }>>().toEqualTypeOf<never>()
expectTypeOf<PathParams<{ method: 'GET'; pattern: '/:a/x/:b' }>>().toEqualTypeOf<{
  a: string
  b: string
}>()
expectTypeOf<PathParams<{ method: 'GET'; pattern: '/files/*path' }>>().toEqualTypeOf<{
  path: string
}>()
const parsed = { method: 'GET', pattern: RoutePattern.parse('/books/:bookId') } as const
expectTypeOf<PathParams<typeof parsed>>().toEqualTypeOf<{ bookId: string }>()
const map = routes({ book: { method: 'GET', pattern: '/books/:bookId' } })
expectTypeOf<PathParams<typeof map.book>>().toEqualTypeOf<{ bookId: string }>()

// The result of parse for each library

const ofZod = defineOperation('zod', show, {
  summary: 'Read',
  params: z.object({ bookId: z.string().transform(Number) }),
  query: z.object({ page: z.int().default(1), tag: z.array(z.string()).optional() }),
  headers: z.object({ 'X-Trace': z.string() }),
  cookies: z.object({ session: z.string() }),
  body: z.object({
    at: z.codec(z.iso.date(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
  }),
})
expectTypeOf(ofZod.operationId).toEqualTypeOf<'zod'>()
expectTypeOf(ofZod.route).toEqualTypeOf<typeof show>()
const read = await ofZod.parse(request, { bookId: '1' })
if (isFailure(read)) expectTypeOf(read.error).toEqualTypeOf<OperationInputError>()
else {
  expectTypeOf(read.data.params).toEqualTypeOf<{ bookId: number }>()
  expectTypeOf(read.data.query).toEqualTypeOf<{ page: number; tag?: string[] | undefined }>()
  expectTypeOf(read.data.headers).toEqualTypeOf<{ 'X-Trace': string }>()
  expectTypeOf(read.data.cookies).toEqualTypeOf<{ session: string }>()
  expectTypeOf(read.data.body).toEqualTypeOf<{ at: Date }>()
}

const ofArkType = defineOperation('arktype', show, {
  summary: 'Read',
  params: type({ bookId: 'number.integer' }),
  query: type({ 'page?': 'number', tag: 'string[]' }),
  body: type({ count: 'string.integer.parse' }),
})
const fromArkType = unwrap(await ofArkType.parse(request, { bookId: '1' }))
expectTypeOf(fromArkType.params).toEqualTypeOf<{ bookId: number }>()
expectTypeOf(fromArkType.query).toEqualTypeOf<{ page?: number; tag: string[] }>()
expectTypeOf(fromArkType.headers).toEqualTypeOf<undefined>()
expectTypeOf(fromArkType.body).toEqualTypeOf<{ count: number }>()

const ofValibot = defineOperation('valibot', show, {
  summary: 'Read',
  params: toStandardJsonSchema(v.object({ bookId: v.number() })),
  body: toStandardJsonSchema(
    v.object({
      size: v.pipe(
        v.string(),
        v.transform((text) => text.length),
      ),
    }),
  ),
})
const fromValibot = unwrap(await ofValibot.parse(request, { bookId: '1' }))
expectTypeOf(fromValibot.params).toEqualTypeOf<{ bookId: number }>()
expectTypeOf(fromValibot.query).toEqualTypeOf<undefined>()
expectTypeOf(fromValibot.body).toEqualTypeOf<{ size: number }>()

const bareOperation = defineOperation('bare', show, { summary: 'Read' })
const bare = unwrap(await bareOperation.parse(request, { bookId: '1' }))
expectTypeOf(bare.params).toEqualTypeOf<{ bookId: string }>()
expectTypeOf(bare.body).toEqualTypeOf<undefined>()

const several = defineOperation('several', show, {
  summary: 'Send',
  body: { 'application/json': z.object({ a: z.number() }), 'text/*': z.string() },
})
expectTypeOf(unwrap(await several.parse(request, { bookId: '1' })).body).toEqualTypeOf<
  { a: number } | string
>()

declare const anything: Result<ParsedRequest, OperationInputError>
expectTypeOf(unwrap(anything).params).toEqualTypeOf<
  PathParams<{ method: string; pattern: string }>
>()

// Programs that do not compile

// @ts-expect-error params do not have a variable of the route
defineOperation('a', show, { summary: 'A', params: z.object({}) })
const more = z.object({ bookId: z.string(), x: z.string() })
// @ts-expect-error params have a key the route does not have
defineOperation('a', show, { summary: 'A', params: more })
// @ts-expect-error the name of a field is misspelt
defineOperation('a', show, { summary: 'A', querry: z.object({}) })
// @ts-expect-error params have another name for the variable
defineOperation('a', show, { summary: 'A', params: type({ id: 'string' }) })
// @ts-expect-error the variable of a parsed pattern has another name
defineOperation('a', parsed, { summary: 'A', params: z.object({ id: z.string() }) })
// @ts-expect-error the variable of a route map has another name
defineOperation('a', map.book, { summary: 'A', params: z.object({ id: z.string() }) })
// @ts-expect-error an operation has a summary
defineOperation('a', show, {})
// @ts-expect-error a Valibot schema does not convert to JSON Schema without toStandardJsonSchema
defineOperation('a', show, { summary: 'A', query: v.object({}) })
// @ts-expect-error a response has a description
defineOperation('a', show, { summary: 'A', responses: { 200: { body: z.string() } } })
// @ts-expect-error a field of a response is misspelt
defineOperation('a', show, { summary: 'A', responses: { 200: { description: 'A', boddy: more } } })
const odd = { 200: { description: 'A', headers: { at: { schema: z.string(), requird: true } } } }
// @ts-expect-error a field of a header is misspelt
defineOperation('a', show, { summary: 'A', responses: odd })
const headless = { 200: { description: 'A', headers: { at: { schma: z.string() } } } }
// @ts-expect-error a header has a schema
defineOperation('a', show, { summary: 'A', responses: headless })
const header = { schema: z.string(), description: 'A', required: true }
const plain = { 200: { description: 'A', headers: { at: header, by: { schema: z.string() } } } }
defineOperation('a', show, { summary: 'A', responses: plain })
// @ts-expect-error a range must have the form 4XX
defineOperation('a', show, { summary: 'A', responses: { '4xx': { description: 'No' } } })
// @ts-expect-error an operation cannot be changed in place
ofZod.operationId = 'zod'

// A pattern that is not known at compile time accepts any params.
declare const pattern: string
const ofUnknown = defineOperation(
  'a',
  { method: 'GET', pattern },
  { summary: 'A', params: z.object({ x: z.string() }) },
)

// Params are optional only if the pattern does not have variables or is not known

const list = { method: 'GET', pattern: '/books' } as const
const files = { method: 'GET', pattern: '/files/*path' } as const
void defineOperation('a', list, { summary: 'A' }).parse(request)
void ofUnknown.parse(request)
void ofUnknown.parse(request, { x: '1' })
declare const router: { params: Record<string, string> }
void ofZod.parse(request, router.params)
declare const optional: { bookId?: string }
void ofZod.parse(request, optional)
// @ts-expect-error the pattern has a variable
void ofZod.parse(request)
// @ts-expect-error the parsed pattern has a variable
void defineOperation('a', parsed, { summary: 'A' }).parse(request)
// @ts-expect-error the pattern of the route map has a variable
void defineOperation('a', map.book, { summary: 'A' }).parse(request)
// @ts-expect-error the pattern has a wildcard with a name
void defineOperation('a', files, { summary: 'A' }).parse(request)

// Responses

expectTypeOf<200>().toExtend<ResponseKey>()
expectTypeOf<'200'>().toExtend<ResponseKey>()
expectTypeOf<'4XX'>().toExtend<ResponseKey>()
expectTypeOf<'default'>().toExtend<ResponseKey>()
expectTypeOf<'6XX'>().not.toExtend<ResponseKey>()
expectTypeOf<'ok'>().not.toExtend<ResponseKey>()

// Problems

const problems = defineProblems('https://example.com/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
})
const info = { title: 'Books', version: '1' }
const builder = createDocument({ info, problems })
const known = defineOperation('known', show, { summary: 'A', problems: ['notFound'] })
const unknown = defineOperation('unknown', show, { summary: 'A', problems: ['gone'] })
builder.add(known).add(known, ofZod, ofArkType, ofValibot)
// @ts-expect-error the catalog does not define this problem
builder.add(unknown)
// @ts-expect-error one of several operations names a problem the catalog does not define
builder.add(known, unknown)
// @ts-expect-error a document without a catalog does not define problems
createDocument({ info }).add(known)
createDocument({ info }).add(ofZod)
createDocument({ info }).add(known as AnyOperation)
createDocument({ info }).add(...builder.operations())
createDocument({ info, problems }).add(...createDocument({ info }).add(ofZod).operations(), known)
// @ts-expect-error one of several operations names a problem the catalog does not define
builder.add(...createDocument({ info }).operations(), unknown)
expectTypeOf(builder.problems()).toEqualTypeOf<typeof problems>()
expectTypeOf(builder.build()).toEqualTypeOf<Result<OpenAPI.Document, OpenAPIBuildError>>()
expectTypeOf(builder.scopes()).toEqualTypeOf<Record<string, string[]>>()

// Documents in JSON and YAML

expectTypeOf(unwrap(parse(''))).toEqualTypeOf<OpenAPI.Document>()
expectTypeOf(
  unwrap(stringify(unwrap(parse('')), { format: 'yaml', indent: 2 })),
).toEqualTypeOf<string>()
// @ts-expect-error the format is unknown
stringify(unwrap(parse('')), { format: 'xml' })

// Variables are written as the router reads them, not in braces.
defineOperation('a', 'GET /books/:id', { summary: 'A', params: z.object({ id: z.string() }) })
defineOperation('a', 'GET /\\{books\\}', { summary: 'A' })
// A build fault says that queries are not part of a route.
defineOperation('a', 'GET /books?page={page}', { summary: 'A' })
// @ts-expect-error the variable is in braces
defineOperation('a', 'GET /books/{id}', { summary: 'A' })
// @ts-expect-error the variable of an object is in braces
defineOperation('a', { method: 'GET', pattern: '/books/{id}' }, { summary: 'A' })
// @ts-expect-error the variable is in braces, whatever params are
defineOperation('a', 'GET /books/{id}', { summary: 'A', params: z.object({ id: z.string() }) })
// @ts-expect-error the route does not have a method
defineOperation('a', '/books/:id', { summary: 'A' })
