import { own } from '@plumbline/base'
import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { lists, plain, strings } from './transforms.cases.ts'

const route = { method: 'POST', pattern: '/x/:key' } as const
const FORM = 'application/x-www-form-urlencoded'

type Source = (schema: Schema, sent: readonly string[]) => Promise<unknown>

async function parsed(
  spec: Omit<OperationSpec, 'summary'>,
  init: RequestInit,
  search = '',
): Promise<Readonly<Record<string, unknown>>> {
  const full: OperationSpec = { summary: 'Send', ...spec }
  const operation = defineOperation('send', route, full)
  const request = new Request(`http://h/x/1${search}`, { method: 'POST', ...init })
  return { ...unwrap(await operation.parse(request, { key: '' })) }
}

const pairs = (sent: readonly string[]) =>
  new URLSearchParams(sent.map((text): [string, string] => ['key', text]))

const fromQuery: Source = async (query, sent) =>
  own((await parsed({ query }, {}, `?${pairs(sent)}`)).query, 'key')

const fromUrlencoded: Source = async (schema, sent) =>
  own((await parsed({ body: { [FORM]: schema } }, { body: pairs(sent) })).body, 'key')

const fromMultipart: Source = async (schema, sent) => {
  const body = new FormData()
  for (const text of sent) body.append('key', text)
  return own((await parsed({ body: { 'multipart/form-data': schema } }, { body })).body, 'key')
}

const fromHeader: Source = async (headers, [key = '']) =>
  own((await parsed({ headers }, { headers: { key } })).headers, 'key')

const fromCookie: Source = async (cookies, [key]) =>
  own((await parsed({ cookies }, { headers: { Cookie: `key=${key}` } })).cookies, 'key')

const fromPath: Source = async (params, [key]) => {
  const operation = defineOperation('send', route, { summary: 'Send', params } as OperationSpec)
  const { params: read } = unwrap(await operation.parse(new Request('http://h/x/1'), { key }))
  return own(read, 'key')
}

const repeatable = [
  ['a query', fromQuery],
  ['an urlencoded form', fromUrlencoded],
  ['a multipart form', fromMultipart],
] as const

const single = [
  ...repeatable,
  ['a header', fromHeader],
  ['a cookie', fromCookie],
  ['a path', fromPath],
] as const

describe.each(single)(
  'a schema that transforms its own input receives the unchanged string from %s',
  (_, read) => {
    it.each(strings)('one string is read: %s', async (_what, schema, sent, value) => {
      expect(await read(schema, sent)).toStrictEqual(value)
    })
  },
)

describe.each(repeatable)(
  'a schema that transforms its own input receives the unchanged strings from %s',
  (_, read) => {
    it.each(lists)('several strings are read: %s', async (_what, schema, sent, value) => {
      expect(await read(schema, sent)).toStrictEqual(value)
    })
  },
)

describe.each(single)(
  'a schema that does not start with a transform receives the coerced value from %s',
  (_, read) => {
    it.each(plain)('the value is coerced: %s', async (_what, schema, sent, value) => {
      expect(await read(schema, sent)).toStrictEqual(value)
    })
  },
)

it('a header list is not split if a transform receives it', async () => {
  const headers = z.object({ key: z.preprocess(String, z.string()).or(z.array(z.string())) })
  expect((await parsed({ headers }, { headers: { key: 'a, b' } })).headers).toEqual({ key: 'a, b' })
})

it('a text body is not coerced to a number if a transform receives it', async () => {
  const body = { 'text/plain': z.preprocess((value) => typeof value, z.string().or(z.number())) }
  const headers = { 'Content-Type': 'text/plain' }
  expect((await parsed({ body }, { headers, body: '5' })).body).toBe('string')
})

it('a JSON file in a form stays a file if a transform receives it', async () => {
  const isFile = z.preprocess((value) => value instanceof File, z.object({}).or(z.boolean()))
  const body = new FormData()
  body.append('one', new Blob(['{}'], { type: 'application/json' }))
  body.append('list', new Blob(['{}'], { type: 'application/json' }))
  const schema = z.object({ one: isFile, list: z.array(isFile) })
  expect((await parsed({ body: { 'multipart/form-data': schema } }, { body })).body).toEqual({
    one: true,
    list: [true],
  })
})

it('a document does not show whether a schema starts with a transform', () => {
  const flag = z.preprocess((value) => value === 'true', z.boolean())
  const query = z.object({ flag, named: flag.meta({ id: 'Flag' }) })
  const responses = { 204: { description: 'Done' } }
  const find = defineOperation(
    'find',
    { method: 'GET', pattern: '/x' },
    {
      summary: 'Find',
      query,
      responses,
    },
  )
  // Parsing comes first: the document must not use anything that parsing has cached.
  void find.parse(new Request('http://h/x'))
  const built = createDocument({ info: { title: 'X', version: '1' } })
    .add(find)
    .build()
  if (isFailure(built)) throw built.error
  expect(built.data.paths?.['/x']?.get?.parameters).toEqual([
    // An absent value is false, so that neither is required.
    { name: 'flag', in: 'query', schema: { type: 'boolean' } },
    { name: 'named', in: 'query', schema: { $ref: '#/components/schemas/Flag' } },
  ])
  expect(built.data.components?.schemas?.Flag).toEqual({ type: 'boolean' })
})
