import { issuesFrom } from '@plumbline/problem'
import { isFailure, type Result, unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import type { Route } from '../spec/route.ts'
import type { OperationInputError } from './input-error.ts'

interface Library {
  readonly params: Schema
  readonly query: Schema
  readonly body: Schema
  /** A schema of `{ child }`, where child is the same again or null. */
  readonly chain: Schema
  /** A schema of names that every object inherits, each optional. */
  readonly inherited: Schema
}

const zodChain = z.object({
  get child() {
    return zodChain.nullable()
  },
})

interface Chain {
  readonly child: Chain | null
}
const valibotChain: v.GenericSchema<Chain> = v.object({
  child: v.nullable(v.lazy(() => valibotChain)),
})

const libraries: readonly (readonly [name: string, library: Library])[] = [
  [
    'zod',
    {
      params: z.object({ id: z.int() }),
      query: z.object({
        page: z.int().min(1).optional(),
        tag: z.array(z.string()),
        all: z.boolean().optional(),
        sort: z.enum(['asc', 'desc']).optional(),
        limit: z.union([z.literal('max'), z.number()]).optional(),
      }),
      body: z.object({ title: z.string().min(1), year: z.int().optional() }),
      chain: zodChain,
      inherited: z.object({ constructor: z.string().optional(), toString: z.string().optional() }),
    },
  ],
  [
    'ArkType',
    {
      params: type({ id: 'number.integer' }),
      query: type({
        'page?': 'number.integer >= 1',
        tag: 'string[]',
        'all?': 'boolean',
        'sort?': "'asc' | 'desc'",
        'limit?': "'max' | number",
      }),
      body: type({ title: 'string >= 1', 'year?': 'number.integer' }),
      chain: type.module({ chain: { child: 'chain | null' } }).chain,
      inherited: type({ 'constructor?': 'string', 'toString?': 'string' }),
    },
  ],
  [
    'Valibot',
    {
      params: toStandardJsonSchema(v.object({ id: v.pipe(v.number(), v.integer()) })),
      query: toStandardJsonSchema(
        v.object({
          page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
          tag: v.array(v.string()),
          all: v.optional(v.boolean()),
          sort: v.optional(v.picklist(['asc', 'desc'])),
          limit: v.optional(v.union([v.literal('max'), v.number()])),
        }),
      ),
      body: toStandardJsonSchema(
        v.object({
          title: v.pipe(v.string(), v.minLength(1)),
          year: v.optional(v.pipe(v.number(), v.integer())),
        }),
      ),
      chain: toStandardJsonSchema(valibotChain),
      inherited: toStandardJsonSchema(
        v.object({ constructor: v.optional(v.string()), toString: v.optional(v.string()) }),
      ),
    },
  ],
]

function operation(spec: Omit<OperationSpec, 'summary'>) {
  const full: OperationSpec = { summary: 'Send', ...spec }
  const route: Route = { method: 'POST', pattern: '/x/:id' }
  return defineOperation('send', route, full)
}

function send(search: string, body: string): Request {
  const headers = { 'Content-Type': 'application/json' }
  return new Request(`http://h/x/5?${search}`, { method: 'POST', headers, body })
}

function errorOf(result: Result<unknown, OperationInputError>): OperationInputError {
  if (!isFailure(result)) throw new Error('parsed')
  return result.error
}

describe.each(libraries)('schemas from %s', (_, library) => {
  const { params, query, body, chain, inherited } = library
  const all = operation({ params, query, body })

  it.each([
    ['page=2&tag=a&all=false&sort=asc', { page: 2, tag: ['a'], all: false, sort: 'asc' }],
    ['tag=a&tag=2&limit=5', { tag: ['a', '2'], limit: 5 }],
    ['tag=&limit=max', { tag: [''], limit: 'max' }],
  ])('a request is read: %s', async (search, expected) => {
    const read = unwrap(await all.parse(send(search, '{"title":"a","year":1}'), { id: '5' }))
    expect(read).toEqual({ params: { id: 5 }, query: expected, body: { title: 'a', year: 1 } })
  })

  it.each([
    ['params', 'x', 'tag=a', '{"title":"a"}', ['id']],
    ['query', '5', 'tag=a&page=0', '{"title":"a"}', ['page']],
    ['query', '5', 'tag=a&page=', '{"title":"a"}', ['page']],
    ['query', '5', 'tag=a&sort=up', '{"title":"a"}', ['sort']],
    ['query', '5', '', '{"title":"a"}', ['tag']],
    ['body', '5', 'tag=a', '{"title":""}', ['title']],
    ['body', '5', 'tag=a', '{"title":"a","year":"1"}', ['year']],
  ])('a request is rejected at %s: %s ?%s %s', async (location, id, search, text, path) => {
    const result = await all.parse(send(search, text), { id })
    if (!isFailure(result)) throw new Error('parsed')
    const { issues, ...error } = result.error
    expect(error).toMatchObject({ location, code: 'invalid' })
    const paths = issues.map((issue) =>
      issue.path?.map((step) => (typeof step === 'object' ? step.key : step)),
    )
    expect(paths.map((steps) => [...(steps ?? [])])).toEqual([path])
  })

  it('a value that is not an object is rejected with a pointer to the whole (RFC 6901 §5)', async () => {
    const result = await operation({ body }).parse(send('', '5'))
    if (!isFailure(result)) throw new Error('parsed')
    expect(issuesFrom(result.error)).toMatchObject([{ location: 'body', pointer: '' }])
  })

  it('inherited members are not read as sent', async () => {
    const parts = { query: inherited, headers: inherited, cookies: inherited, body: inherited }
    const absent = unwrap(await operation(parts).parse(send('', '{}')))
    const sent = unwrap(await operation(parts).parse(send('constructor=a', '{}')))
    const keys = ({ query, headers, cookies, body }: Record<string, unknown>) =>
      [query, headers, cookies, body].map((part) => Object.entries(part ?? {}))
    expect(keys({ ...absent })).toEqual([[], [], [], []])
    expect(keys({ ...sent })).toEqual([[['constructor', 'a']], [], [], []])
  })

  it('nested JSON is read, and JSON nested deeper than the stack is rejected', async () => {
    const nested = (depth: number) => `${'{"child":'.repeat(depth)}null${'}'.repeat(depth)}`
    const deep = operation({ body: chain })
    expect(unwrap(await deep.parse(send('', nested(100)))).body).toEqual(JSON.parse(nested(100)))
    for (const depth of [100_000, 1_000_000]) {
      expect(await deep.parse(send('', nested(depth)))).toMatchObject({
        error: { location: 'body', code: 'invalid', issues: [{ message: 'nested too deeply' }] },
      })
    }
  })
})

describe('JSON with more than 1,000 levels (RFC 8259 §9)', () => {
  const any = operation({ body: z.any() })
  const nested = (levels: number, inner = '') =>
    `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`

  it.each<[string, string]>([
    ['of 1,000 levels', nested(1_000)],
    [
      'with as many brackets in a string',
      JSON.stringify(['['.repeat(3_000), '\\"['.repeat(3_000)]),
    ],
    ['with as many lists next to each other', `[${Array(3_000).fill('[[]]').join(',')}]`],
  ])('a body %s is read', async (_, text) => {
    expect(unwrap(await any.parse(send('', text))).body).toEqual(JSON.parse(text))
  })

  it.each<[string, string]>([
    ['of 1,001 levels', nested(1_001)],
    ['of 30,000 levels', nested(30_000, '"]"')],
  ])('every schema rejects a body %s, so accepted values can be written', async (_, text) => {
    expect(await any.parse(send('', text))).toMatchObject({
      error: { location: 'body', code: 'invalid', issues: [{ message: 'nested too deeply' }] },
    })
  })
})

describe('an asynchronous schema', () => {
  const isFree = async (title: string) => title !== 'taken'
  const body = z.object({ title: z.string().refine(isFree, 'is taken') })
  const query = z.object({ n: z.number().refine(async (n) => n > 1) })

  it('an asynchronous schema is awaited', async () => {
    const result = await operation({ body, query }).parse(send('n=2', '{"title":"a"}'))
    expect(unwrap(result)).toMatchObject({ body: { title: 'a' }, query: { n: 2 } })
  })

  it('an asynchronous schema can reject', async () => {
    const taken = await operation({ body, query }).parse(send('n=2', '{"title":"taken"}'))
    expect(taken).toMatchObject({ error: { location: 'body', issues: [{ message: 'is taken' }] } })
    const low = await operation({ body, query }).parse(send('n=1', '{"title":"a"}'))
    expect(low).toMatchObject({ error: { location: 'query', issues: [{ path: ['n'] }] } })
  })

  it('an asynchronous schema rejects a value nested deeper than the stack', async () => {
    const text = `${'{"child":'.repeat(100_000)}null${'}'.repeat(100_000)}`
    const result = await operation({ body: zodChain.refine(async () => true) }).parse(
      send('', text),
    )
    expect(result).toMatchObject({ error: { issues: [{ message: 'nested too deeply' }] } })
  })
})

describe('a schema that throws rejects the value, and the error keeps the cause', () => {
  const bodyOf = (validate: Schema['~standard']['validate']) => {
    const { jsonSchema } = z.string()['~standard']
    return { '~standard': { version: 1, vendor: 'x', jsonSchema, validate } } as const
  }

  it.each([
    ['a SyntaxError', () => JSON.parse('{'), SyntaxError],
    // A RangeError, as an overflow of the stack is one.
    ['a date without a value', () => new Date(Number.NaN).toISOString(), RangeError],
  ])('the schema throws %s, synchronously or asynchronously', async (_, fault, type) => {
    const bodies = [z.string().transform(fault), bodyOf(async () => ({ value: fault() }))]
    for (const body of bodies) {
      const error = errorOf(await operation({ body }).parse(send('', '"a"')))
      expect(error).toMatchObject({ location: 'body', code: 'invalid' })
      expect(error.issues).toEqual([
        { location: 'body', message: 'the schema could not validate this value', path: [] },
      ])
      expect(error.cause).toBeInstanceOf(type)
    }
  })

  it.each(['query', 'headers', 'cookies', 'body'] as const)(
    'the schema throws in %s',
    async (location) => {
      const part = z.preprocess((value) => Object(value).missing.trim(), z.object({}))
      const sent = await operation({ [location]: part }).parse(send('', '{}'))
      expect(errorOf(sent)).toMatchObject({ location, cause: expect.any(TypeError) })
    },
  )

  it('the schema throws for an absent or an empty body', async () => {
    const text = z.preprocess((value) => String(Object(value).missing.trim()), z.string())
    const absent = new Request('http://h/x/5', { method: 'POST' })
    const headers = { 'Content-Type': 'text/plain' }
    const empty = new Request('http://h/x/5', { method: 'POST', headers, body: '' })
    for (const request of [absent, empty]) {
      const result = await operation({ body: { 'text/plain': text } }).parse(request)
      expect(errorOf(result).cause).toBeInstanceOf(TypeError)
    }
  })

  it('an error without a cause does not have the member cause', async () => {
    const error = errorOf(await operation({ body: z.string() }).parse(send('', '5')))
    expect(Object.hasOwn(error, 'cause')).toBe(false)
  })
})

describe('an issue whose message getter throws', () => {
  const word = type('Record<string, "a" | "b">')

  it.each(['constructor', '__proto__', 'toString'])(
    'the message is replaced, as in an ArkType union for the key %s',
    async (key) => {
      const error = errorOf(await operation({ body: word }).parse(send('', `{"${key}":"c"}`)))
      expect(error.issues).toEqual([{ location: 'body', message: 'is not valid', path: [key] }])
      expect(issuesFrom(error)).toEqual([
        { location: 'body', pointer: `/${key}`, detail: 'is not valid' },
      ])
    },
  )

  it('the message is replaced in the other locations', async () => {
    for (const location of ['query', 'params'] as const) {
      const request = send(location === 'query' ? 'constructor=c' : '', '{}')
      const result = await operation({ [location]: word }).parse(request, { constructor: 'c' })
      expect(errorOf(result)).toMatchObject({ location, issues: [{ path: ['constructor'] }] })
    }
  })
})

it('strings stay strings if the schema cannot be converted to JSON Schema', async () => {
  const query = z.object({ at: z.coerce.date(), n: z.coerce.number() })
  const result = await operation({ query }).parse(send('at=2025-01-02&n=5', ''))
  expect(unwrap(result).query).toEqual({ at: new Date('2025-01-02'), n: 5 })
})
