import { issuesFrom } from '@plumbline/problem'
import { isFailure, unwrap } from '@plumbline/result'
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import type { Route } from '../spec/route.ts'
import { OperationInputError } from './input-error.ts'
import { cookies, headers, queries, REJECTED } from './parse.cases.ts'

const route: Route = { method: 'GET', pattern: '/x/:id' }

function operation(spec: Omit<OperationSpec, 'summary'>) {
  return defineOperation('read', route, { summary: 'Read', ...spec } as OperationSpec)
}

describe('query keys', () => {
  it.each(queries)('a query key is coerced or rejected: %s', async (_, schema, search, read) => {
    const url = search.startsWith('#') ? `http://h/x${search}` : `http://h/x?${search}`
    const result = await operation({ query: z.object({ key: schema }) }).parse(new Request(url))
    if (read === REJECTED) return expect(result).toMatchObject({ error: { location: 'query' } })
    expect(unwrap(result).query).toEqual(read === undefined ? {} : { key: read })
  })
})

describe('headers', () => {
  it.each(headers)('a header is coerced or rejected: %s', async (_, schema, sent, read) => {
    const request = new Request('http://h/x', { headers: { KEY: sent } })
    const result = await operation({ headers: z.object({ key: schema }) }).parse(request)
    if (read === REJECTED) return expect(result).toMatchObject({ error: { location: 'headers' } })
    expect(unwrap(result).headers).toEqual({ key: read })
  })

  it.each(['X-Trace-Id', 'x-trace-id', 'X-TRACE-ID'])(
    "the header has the key %s, in the schema's letter case (RFC 9110 §5.1)",
    async (name) => {
      const request = new Request('http://h/x', { headers: { 'x-Trace-iD': 'a' } })
      const result = await operation({ headers: z.object({ [name]: z.string() }) }).parse(request)
      expect(unwrap(result).headers).toEqual({ [name]: 'a' })
    },
  )

  it('a repeated header is one list (RFC 9110 §5.3)', async () => {
    const request = new Request('http://h/x')
    request.headers.append('Tag', 'a, b')
    request.headers.append('tag', 'c')
    const result = await operation({ headers: z.object({ tag: z.array(z.string()) }) }).parse(
      request,
    )
    expect(unwrap(result).headers).toEqual({ tag: ['a', 'b', 'c'] })
  })

  it('a header with commas is a string if the schema does not accept a list', async () => {
    const request = new Request('http://h/x', { headers: { key: '1,2' } })
    const result = await operation({ headers: z.object({ key: z.number() }) }).parse(request)
    expect(isFailure(result) && result.error.message).toMatch(/received string$/)
  })

  it('a header is passed to the schema only if the schema names it', async () => {
    const request = new Request('http://h/x', { headers: { a: '1', b: '2' } })
    const schema = z.strictObject({ a: z.string() })
    expect(unwrap(await operation({ headers: schema }).parse(request)).headers).toEqual({ a: '1' })
  })
})

describe('cookies (RFC 6265 §5.4)', () => {
  it.each(cookies)('a cookie is coerced or rejected: %s', async (_, schema, Cookie, read) => {
    const request = new Request('http://h/x', { headers: { Cookie } })
    const result = await operation({ cookies: z.object({ key: schema }) }).parse(request)
    expect(unwrap(result).cookies).toEqual(read === undefined ? {} : { key: read })
  })

  it('a cookie may have an empty name', async () => {
    const request = new Request('http://h/x', { headers: { Cookie: '=a' } })
    const result = await operation({ cookies: z.object({ '': z.string() }) }).parse(request)
    expect(unwrap(result).cookies).toEqual({ '': 'a' })
  })

  it('a cookie is missing if the request does not have cookies', async () => {
    const result = await operation({ cookies: z.object({ key: z.string() }) }).parse(
      new Request('http://h/x'),
    )
    expect(result).toMatchObject({ error: { location: 'cookies', issues: [{ path: ['key'] }] } })
  })
})

describe('params', () => {
  const request = new Request('http://h/x/1')

  it("params without a schema are the router's values", async () => {
    const routed = { id: '1' }
    expect(unwrap(await operation({}).parse(request, routed)).params).toBe(routed)
  })

  it.each([
    ['a number', z.object({ id: z.int() }), { id: '5' }, { id: 5 }],
    ['a boolean', z.object({ id: z.boolean() }), { id: 'true' }, { id: true }],
    ['a string', z.object({ id: z.string() }), { id: '5' }, { id: '5' }],
    [
      'a string that the router decoded',
      z.object({ id: z.string() }),
      { id: '%41' },
      { id: '%41' },
    ],
    ['an absent value', z.object({ id: z.string().optional() }), { id: undefined }, {}],
    ['an absent value of a record', z.record(z.string(), z.string()), { id: undefined }, {}],
  ])('params are coerced to their schema types: %s', async (_, params, routed, read) => {
    expect(unwrap(await operation({ params }).parse(request, routed)).params).toEqual(read)
  })

  it('params are empty if the router passes none', async () => {
    const result = await operation({ params: z.object({ id: z.string() }) }).parse(request)
    expect(result).toMatchObject({ error: { location: 'params', issues: [{ path: ['id'] }] } })
  })
})

describe('request parts', () => {
  const number = z.object({ n: z.number() })
  const all = operation({
    params: number,
    query: number,
    headers: number,
    cookies: number,
    body: number,
  })
  const send = (query: string, n: string, Cookie: string, body: string) =>
    new Request(`http://h/x?n=${query}`, {
      method: 'POST',
      headers: { n, Cookie: `n=${Cookie}`, 'Content-Type': 'application/json' },
      body: `{"n":${body}}`,
    })

  it('all parts are returned together', async () => {
    const read = unwrap(await all.parse(send('2', '3', '4', '5'), { n: '1' }))
    expect(read).toEqual({
      params: { n: 1 },
      query: { n: 2 },
      headers: { n: 3 },
      cookies: { n: 4 },
      body: { n: 5 },
    })
  })

  it.each([
    ['params', 'x', send('x', 'x', 'x', '"x"')],
    ['query', '1', send('x', 'x', 'x', '"x"')],
    ['headers', '1', send('1', 'x', 'x', '"x"')],
    ['cookies', '1', send('1', '1', 'x', '"x"')],
    ['body', '1', send('1', '1', '1', '"x"')],
  ])(
    'parts are validated in order, up to the first rejection: %s',
    async (location, n, request) => {
      const result = await all.parse(request, { n })
      if (!isFailure(result)) throw new Error('parsed')
      expect(result.error).toBeInstanceOf(OperationInputError)
      expect(result.error).toMatchObject({ location, code: 'invalid', issues: [{ path: ['n'] }] })
      expect(result.error.message).toBe(`${location}: n: ${result.error.issues[0]?.message}`)
      expect(request.bodyUsed).toBe(location === 'body')
    },
  )

  it('headers are read with names from both parts of a transformed intersection', async () => {
    const both = z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() }))
    const headers = z.preprocess((sent) => sent, both)
    const request = new Request('http://h/x', { headers: { a: '1', b: '2' } })
    const read = unwrap(await operation({ headers }).parse(request))
    expect(read.headers).toEqual({ a: '1', b: '2' })
  })

  it('parts without a schema are undefined', async () => {
    const read = unwrap(await operation({}).parse(send('1', '1', '1', '1'), {}))
    expect(read).toEqual({ params: {} })
  })
})

describe('an OperationInputError', () => {
  it('the error is an Error with a name, a location and a code', () => {
    const error = new OperationInputError('query', [{ message: 'm' }])
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'OperationInputError', location: 'query', code: 'invalid' })
    const malformed = new OperationInputError('body', [], 'malformed', { cause: 'c' })
    expect(malformed).toMatchObject({ code: 'malformed', cause: 'c', issues: [] })
  })

  const issuesOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ message: `m${at}`, path: [at] }))

  it.each([
    [1, 'query: 0: m0'],
    [3, 'query: 0: m0; 1: m1; 2: m2'],
    [4, 'query: 0: m0; 1: m1; 2: m2; and 1 more'],
    [5_000, 'query: 0: m0; 1: m1; 2: m2; and 4997 more'],
  ])('an error with %i issues quotes at most three in the message', (count, message) => {
    expect(new OperationInputError('query', issuesOf(count)).message).toBe(message)
  })

  it.each([
    ['of 250 characters whole', 'a'.repeat(250), 'a'.repeat(250)],
    ['of 251 characters, cut to 250', 'a'.repeat(251), `${'a'.repeat(249)}…`],
  ])("the message quotes a schema's message %s", (_, message, quoted) => {
    expect(new OperationInputError('body', [{ message }]).message).toBe(`body: ${quoted}`)
  })

  it("the message names each issue's path", () => {
    const path = [{ key: 'author' }, 'names', 0]
    const issues = [{ message: 'm', path }, { message: 'n' }]
    expect(new OperationInputError('body', issues).message).toBe('body: author.names.0: m; n')
    const long = new OperationInputError('body', [{ message: 'm', path: ['a'.repeat(300)] }])
    expect(long.message).toBe(`body: ${'a'.repeat(249)}…`)
  })

  it('issuesFrom reads the issues with or without the error', async () => {
    const list = z.array(z.number())
    for (const query of [z.object({ n: list }), type({ n: 'number[]' })]) {
      const request = new Request('http://h/x?n=a&n=1&n=b')
      const result = await operation({ query }).parse(request)
      if (!isFailure(result)) throw new Error('parsed')
      const issues = issuesFrom(result.error.issues)
      expect(issues).toEqual(issuesFrom(result.error))
      expect(issues.map(({ location, pointer }) => `${location} ${pointer}`)).toEqual([
        'query /n/0',
        'query /n/2',
      ])
    }
  })

  it('the error for 20,000 wrong values has fewer bytes than the body', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const text = `[${'"x",'.repeat(20_000)}"x"]`
    const request = new Request('http://h/x', { method: 'POST', headers, body: text })
    const result = await operation({ body: z.array(z.number()) }).parse(request)
    if (!isFailure(result)) throw new Error('parsed')
    const detail = result.error.message
    const answer = JSON.stringify({ detail, errors: issuesFrom(result.error) })
    expect(answer.length).toBeLessThan(text.length / 4)
  })
})

describe('prototype names', () => {
  const polluting = 'http://h/x?__proto__=a&__proto__=b&constructor=c&toString=d&key=e'

  it('prototype names are only keys in a query', async () => {
    let seen: unknown
    const query = z.unknown().transform((value) => {
      seen = value
      return value
    })
    await operation({ query }).parse(new Request(polluting))
    expect(Object.entries(seen as object)).toEqual([
      ['__proto__', ['a', 'b']],
      ['constructor', 'c'],
      ['toString', 'd'],
      ['key', 'e'],
    ])
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype)
  })

  it('prototype names are rejected if the schema does not accept other keys', async () => {
    const result = await operation({ query: z.strictObject({ key: z.string() }) }).parse(
      new Request(polluting),
    )
    expect(result).toMatchObject({ error: { location: 'query' } })
  })

  it('prototype names are never read as a cookie', async () => {
    const result = await operation({
      cookies: z.object({ key: z.string().optional() }),
    }).parse(new Request('http://h/x', { headers: { Cookie: '__proto__=a; constructor=b' } }))
    expect(unwrap(result).cookies).toEqual({})
  })
})

it('a URL without a query is an empty object', async () => {
  const result = await operation({ query: z.looseObject({}) }).parse(new Request('http://h/x'))
  expect(unwrap(result).query).toEqual({})
})

it('a schema without a JSON Schema still rejects values', async () => {
  const convert = () => {
    throw new Error('not supported')
  }
  const query: Schema = {
    '~standard': {
      version: 1,
      vendor: 'ours',
      validate: (value) => {
        expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
        return { issues: [{ message: 'no' }] }
      },
      jsonSchema: { input: convert, output: convert },
    },
  }
  const spec: OperationSpec = { summary: 'Read', query }
  const result = await defineOperation('read', route, spec).parse(new Request('http://h/x?a=1'))
  expect(result).toMatchObject({ error: { location: 'query', issues: [{ message: 'no' }] } })
})

it('unknown keys are passed unchanged', async () => {
  const query = z.looseObject({ n: z.number() })
  const result = await operation({ query }).parse(new Request('http://h/x?n=1&other=2&other=3'))
  expect(unwrap(result).query).toEqual({ n: 1, other: ['2', '3'] })
})

it('additionalProperties coerces unknown keys', async () => {
  const query = z.object({ n: z.number() }).catchall(z.array(z.int()))
  const result = await operation({ query }).parse(
    new Request('http://h/x?n=1&other=2&more=3&more=4'),
  )
  expect(unwrap(result).query).toEqual({ n: 1, other: [2], more: [3, 4] })
})

it('a named schema and combined schemas read the query', async () => {
  const named = z.object({ n: z.number() }).meta({ id: 'Paging' })
  const query = z.intersection(named, z.object({ tag: z.array(z.string()) }))
  const result = await operation({ query }).parse(new Request('http://h/x?n=1&tag=a'))
  expect(unwrap(result).query).toEqual({ n: 1, tag: ['a'] })
})
