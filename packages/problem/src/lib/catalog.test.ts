import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineProblems, type ProblemSpec } from './catalog.ts'
import type { Extensions, ExtensionsSchema } from './extensions.ts'

const BASE = 'https://example.com/problems/'
const problems = defineProblems(BASE, {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  outOfCredit: {
    slug: 'out-of-credit',
    status: 403,
    title: 'Not enough credit',
    extensions: z.object({ balance: z.number(), accounts: z.array(z.string()).optional() }),
  },
})

it.each<[base: string | URL, slug: string, type: string]>([
  ['https://example.com/problems/', 'a', 'https://example.com/problems/a'],
  ['https://example.com/problems', 'a', 'https://example.com/problems/a'],
  ['https://example.com', 'a', 'https://example.com/a'],
  [new URL('https://example.com/problems'), 'a', 'https://example.com/problems/a'],
  ['https://example.com/problems?v=1#a', 'a', 'https://example.com/problems/a'],
  ['https://example.com/problems', 'a/b', 'https://example.com/problems/a/b'],
  ['https://example.com/problems', '/a', 'https://example.com/a'],
  ['https://example.com/problems', '../a', 'https://example.com/a'],
  ['https://example.com/problems', 'a#b', 'https://example.com/problems/a#b'],
  ['https://example.com/problems', 'zu spät', 'https://example.com/problems/zu%20sp%C3%A4t'],
  ['https://example.com/problems', 'https://iana.org/a#b', 'https://iana.org/a#b'],
  ['https://example.com/problems', 'about:blank', 'about:blank'],
  ['https://example.com/problems', 'urn:example:a', 'urn:example:a'],
])('the type in %s of %s is %s (RFC 9457 §3.1.1)', async (base, slug, type) => {
  const { entry } = defineProblems(base, { entry: { slug, status: 400, title: 'A' } })
  expect(entry.type).toBe(type)
  expect(await entry().json()).toMatchObject({ type })
})

it('a problem without details and extensions has only the standard members (RFC 9457 §3)', async () => {
  const response = problems.notFound()
  expect(response.status).toBe(404)
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  expect(await response.text()).toBe(
    '{"type":"https://example.com/problems/not-found","title":"Not found","status":404}',
  )
})

it('a problem has the standard members first and the extensions after them (RFC 9457 §3)', async () => {
  const response = problems.outOfCredit({
    extensions: { balance: 30, accounts: ['/account/12345'] },
    instance: '/account/12345/msgs/abc',
    detail: 'Your current balance is 30, but that costs 50.',
  })
  const text = await response.text()
  expect(Object.entries(JSON.parse(text))).toStrictEqual([
    ['type', 'https://example.com/problems/out-of-credit'],
    ['title', 'Not enough credit'],
    ['status', 403],
    ['detail', 'Your current balance is 30, but that costs 50.'],
    ['instance', '/account/12345/msgs/abc'],
    ['balance', 30],
    ['accounts', ['/account/12345']],
  ])
})

it('a problem keeps an empty detail, which is not an absent detail', async () => {
  expect(await problems.notFound({ detail: '', instance: '' }).json()).toMatchObject({
    detail: '',
    instance: '',
  })
})

it('an extension never replaces a standard member (RFC 9457 §3.1)', async () => {
  const { loose } = defineProblems(BASE, {
    loose: { slug: 'loose', status: 409, title: 'Loose', extensions: z.looseObject({}) },
  })
  const extensions = { type: 'x', title: 'x', status: 200, detail: 'x', instance: 'x', own: 1 }
  expect(await loose({ extensions }).json()).toStrictEqual({
    type: `${BASE}loose`,
    title: 'Loose',
    status: 409,
    own: 1,
  })
})

describe('the declared extensions (RFC 9457 §3.2)', () => {
  const account = { balance: 30, owner: 'Babs', constructor: 'x' }
  const balance = z.object({ balance: z.number() })
  const dated = z.object({ at: z.date() })
  const byPattern = z.looseRecord(z.string().regex(/^x-/), z.string())
  const properties = { balance: {} }
  const broken = convertedTo({ properties, allOf: [{ $ref: '#/$defs/None' }] })

  it.each<[what: string, extensions: Extensions | undefined, sent: readonly string[]]>([
    ['nothing', undefined, []],
    ['an object without members', z.object({}), []],
    ['one member', balance, ['balance']],
    ['one member of a record', { balance: z.number() }, ['balance']],
    ['an empty record', {}, []],
    ['one member, strictly', z.strictObject({ balance: z.number() }), ['balance']],
    ['a named object', balance.meta({ id: 'Balance' }), ['balance']],
    ['an intersection', balance.and(z.object({ owner: z.string() })), ['balance', 'owner']],
    ['a union', z.union([balance, z.object({ owner: z.string() })]), ['balance', 'owner']],
    ['all other members', z.looseObject({}), Object.keys(account)],
    ['other members of a type', balance.catchall(z.string()), Object.keys(account)],
    ['a record', z.record(z.string(), z.unknown()), Object.keys(account)],
    ['members by a pattern', balance.and(byPattern), Object.keys(account)],
    ['a reference that leads nowhere', broken, ['balance']],
    ['parts that are not schemas', convertedTo({ properties, allOf: [null, true] }), ['balance']],
    ['a schema that cannot be converted to JSON Schema', dated, Object.keys(account)],
  ])(
    'a problem sends only the declared extensions if its schema declares %s',
    async (_, extensions, sent) => {
      const spec = { slug: 'a', status: 403, title: 'A', ...(extensions && { extensions }) }
      const problem: (options: object) => Response = defineProblems(BASE, { a: spec }).a
      const { type: _type, title, status, ...rest } = await problem({ extensions: account }).json()
      expect({ title, status }).toStrictEqual({ title: 'A', status: 403 })
      expect(Object.keys(rest)).toStrictEqual(sent)
    },
  )
})

/** A schema of a library that converts to draft 2020-12 only. */
function convertedTo(json: Record<string, unknown>): ExtensionsSchema {
  const convert = ({ target }: { readonly target: string }) => {
    if (target !== 'draft-2020-12') throw new Error(`unsupported target ${target}`)
    return json
  }
  const jsonSchema = { input: convert, output: convert }
  return {
    '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }), jsonSchema },
  }
}

it('a problem sends the headers of the caller, except the Content-Type', () => {
  const headers = { 'content-type': 'text/html', 'WWW-Authenticate': 'Bearer' }
  const response = problems.notFound({ headers })
  expect([...response.headers]).toStrictEqual([
    ['content-type', 'application/problem+json'],
    ['www-authenticate', 'Bearer'],
  ])
  expect(headers['content-type']).toBe('text/html')
})

it('a problem is a new response for each call', () => {
  expect(problems.notFound()).not.toBe(problems.notFound())
})

it('a problem has the properties of its entry, which cannot be changed', () => {
  const { type, slug, status, title, extensions } = problems.notFound
  expect({ type, slug, status, title, extensions }).toStrictEqual({
    type: `${BASE}not-found`,
    slug: 'not-found',
    status: 404,
    title: 'Not found',
    extensions: undefined,
  })
  expect(Object.isFrozen(problems)).toBe(true)
  expect(Object.isFrozen(problems.notFound)).toBe(true)
})

it('defineProblems accepts entry names that every object inherits', async () => {
  const entries = Object.fromEntries(
    ['__proto__', 'constructor', 'toString'].map((slug) => [
      slug,
      { slug, status: 400, title: slug },
    ]),
  )
  const catalog = defineProblems(BASE, entries)
  expect(Object.keys(catalog)).toStrictEqual(['__proto__', 'constructor', 'toString'])
  expect(Object.getPrototypeOf(catalog)).toBe(Object.prototype)
  expect(Object.keys(defineProblems(BASE, {}))).toStrictEqual([])
})

it.each([200, 207, 299, 300, 303, 399, 400, 599])(
  'defineProblems accepts the HTTP status %s (RFC 9457 §3.1.2)',
  async (status) => {
    const { entry } = defineProblems(BASE, { entry: { slug: 'a', status, title: 'A' } })
    const response = entry()
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ status })
  },
)

const Recursive = z.object({
  detail: z.string(),
  get inner() {
    return z.array(Recursive)
  },
})

it.each<[why: string, base: string, spec: Partial<ProblemSpec>, message: string]>([
  ['a relative base', '/problems', {}, 'the base of a catalog must be absolute: /problems'],
  ['an empty base', '', {}, 'the base of a catalog must be absolute: '],
  ...[99, 600, 404.5, Number.NaN, 100, 199, 204, 205, 304].map(
    (status): [string, string, Partial<ProblemSpec>, string] => [
      `the status ${status} (RFC 9110 §15)`,
      BASE,
      { status },
      `problem entry: status must be an HTTP status that allows content, not ${status}`,
    ],
  ),
  [
    'a slug that is not a URI',
    BASE,
    { slug: 'http://[' },
    'problem entry: http://[ is not a valid URI reference',
  ],
  ...['type', 'title', 'status', 'detail', 'instance'].map(
    (name): [string, string, Partial<ProblemSpec>, string] => [
      `the extension ${name}`,
      BASE,
      { extensions: z.object({ own: z.string(), [name]: z.string() }) },
      `problem entry: the extension ${name} is a standard member`,
    ],
  ),
  ...(
    [
      ['a named schema', z.object({ detail: z.string() }).meta({ id: 'Detailed' })],
      ['a name that a pointer escapes', z.object({ detail: z.string() }).meta({ id: 'a/b~ c' })],
      ['a schema that contains itself', Recursive],
      ['an intersection', z.object({ a: z.string() }).and(z.object({ detail: z.string() }))],
      ['a union', z.union([z.object({ a: z.string() }), z.object({ detail: z.string() })])],
    ] as const
  ).map(([why, extensions]): [string, string, Partial<ProblemSpec>, string] => [
    `a standard member in ${why}`,
    BASE,
    { extensions },
    'problem entry: the extension detail is a standard member',
  ]),
])('defineProblems rejects %s', (_, base, spec, message) => {
  const entry = { slug: 'entry', status: 400, title: 'Entry', ...spec }
  expect(() => defineProblems(base, { entry })).toThrow(new TypeError(message))
})

it('defineProblems rejects two entries of one type, even if their slugs differ', () => {
  const one = { slug: 'a', status: 400, title: 'One' }
  const two = { slug: './a', status: 409, title: 'Two' }
  expect(() => defineProblems(BASE, { one, two })).toThrow(
    new TypeError('problems one and two have the same type https://example.com/problems/a'),
  )
})

it('defineProblems accepts extensions without a JSON Schema, which only a document needs', () => {
  const extensions = z.object({ at: z.date() })
  const { late } = defineProblems(BASE, {
    late: { slug: 'late', status: 409, title: 'Late', extensions },
  })
  expect(late.extensions).toBe(extensions)
})

it('defineProblems accepts the names of standard members inside of an extension', () => {
  const extensions = z.object({ errors: z.array(z.object({ detail: z.string() })) })
  const spec = { slug: 'nested', status: 422, title: 'Nested', extensions }
  expect(() => defineProblems(BASE, { nested: spec })).not.toThrow()
})
