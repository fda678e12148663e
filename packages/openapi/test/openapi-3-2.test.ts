import { validate as validate31 } from '@hyperjump/json-schema/openapi-3-1'
import { validate as validate32 } from '@hyperjump/json-schema/openapi-3-2'
import { createDocument, defineOperation, parse, stringify, unwrap } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { events, jsonLines } from '@plumbline/openapi/streams'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const Progress = z.object({ done: z.int() }).meta({ id: 'Progress' })
const info = { title: 'Jobs', version: '1' }
const stream = events({ progress: Progress, message: z.enum(['on', 'off']) })
const response = { description: 'A', stream }
const operations = [
  defineOperation('watch', 'GET /watch', { summary: 'Watch', responses: { 200: response } }),
  // The same stream is one component.
  defineOperation('follow', 'GET /follow', { summary: 'Follow', responses: { 200: response } }),
  defineOperation('rows', 'GET /rows', {
    summary: 'Rows',
    responses: { 200: { description: 'A', body: Progress, stream: jsonLines(Progress) } },
  }),
] as const
const search = defineOperation('search', 'QUERY /books', {
  summary: 'Search',
  body: z.object({ text: z.string() }),
  responses: { 200: { description: 'A', body: z.array(z.string()) } },
})
const old = createDocument({ info }).add(...operations)
const current = createDocument({ info, openapi: '3.2.0', defaults: {} }).add(...operations, search)

const WatchEvent = {
  oneOf: [
    {
      type: 'object',
      properties: {
        event: { const: 'progress' },
        id: { type: 'string' },
        retry: { type: 'integer', minimum: 0 },
        data: {
          type: 'string',
          contentMediaType: 'application/json',
          contentSchema: { $ref: '#/components/schemas/Progress' },
        },
      },
      required: ['event', 'data'],
    },
    {
      type: 'object',
      properties: {
        event: { const: 'message' },
        id: { type: 'string' },
        retry: { type: 'integer', minimum: 0 },
        data: { type: 'string', enum: ['on', 'off'] },
      },
      required: ['data'],
    },
  ],
}
const $ref = '#/components/schemas/Progress'

describe('a stream in a document', () => {
  it('a 3.1.1 stream is text, with the event schema as an extension', () => {
    const document = unwrap(old.build())
    const item = { $ref: '#/components/schemas/WatchEvent' }
    for (const path of ['/watch', '/follow'] as const) {
      expect(document.paths?.[path]?.get?.responses?.[200]).toEqual({
        description: 'A',
        content: { 'text/event-stream': { schema: { type: 'string' }, 'x-item-schema': item } },
      })
    }
    expect(document.paths?.['/rows']?.get?.responses?.[200]).toEqual({
      description: 'A',
      content: {
        'application/json': { schema: { $ref } },
        'application/jsonl': { schema: { type: 'string' }, 'x-item-schema': { $ref } },
      },
    })
    expect(document.components?.schemas).toMatchObject({ WatchEvent })
    expect(document.openapi).toBe('3.1.1')
  })

  it('a 3.2.0 stream has an itemSchema (OpenAPI 3.2.0 §4.14.1)', () => {
    const document = unwrap(current.build())
    expect([document.openapi, document.jsonSchemaDialect]).toEqual(['3.2.0', undefined])
    expect(document.paths?.['/rows']?.get?.responses?.[200]).toMatchObject({
      content: { 'application/jsonl': { itemSchema: { $ref } } },
    })
    expect(document.components?.schemas).toMatchObject({ WatchEvent })
  })

  it("a stream is valid against both versions' schemas", async () => {
    const plain = (document: object) => JSON.parse(JSON.stringify(document))
    const is31 = await validate31('https://spec.openapis.org/oas/3.1/schema-base')
    const is32 = await validate32('https://spec.openapis.org/oas/3.2/schema-base')
    expect(is31(plain(unwrap(old.build())), 'BASIC')).toMatchObject({ valid: true })
    expect(is32(plain(unwrap(current.build())), 'BASIC')).toMatchObject({ valid: true })
    expect(is31(plain(unwrap(current.build()))).valid).toBe(false)
  })

  it('stream events do not share a component name with a schema', () => {
    const other = defineOperation('read', 'GET /read', {
      summary: 'Read',
      responses: { 200: { description: 'A', body: z.object({}).meta({ id: 'WatchEvent' }) } },
    })
    const [watch] = operations
    const first = unwrap(createDocument({ info }).add(other, watch).build())
    expect(Object.keys(first.components?.schemas ?? {})).toEqual([
      'WatchEvent',
      'Progress',
      'WatchEvent2',
    ])
    expect(createDocument({ info }).add(watch, other).build()).toMatchObject({
      error: { code: 'reserved-schema-name', operationId: 'read' },
    })
  })
})

describe('the method QUERY (RFC 10008)', () => {
  it('QUERY is a path item field in OpenAPI 3.2.0, and is served', async () => {
    expect(unwrap(current.build()).paths?.['/books']?.query?.requestBody).toBeDefined()
    const api = implement(createDocument({ info, openapi: '3.2.0', defaults: {} }).add(search), {
      handlers: { search: ({ body, reply }) => reply(200, [body.text]) },
    })
    const request = new Request('http://h/books', {
      method: 'QUERY',
      body: '{"text":"a"}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(await (await api.fetch(request)).json()).toEqual(['a'])
  })

  it('QUERY is a build fault in OpenAPI 3.1', () => {
    expect(createDocument({ info }).add(search).build()).toMatchObject({
      error: { code: 'unsupported-method', operationId: 'search' },
    })
  })
})

describe('parse', () => {
  it('parse accepts 3.2 only if the option versions names it', () => {
    const text = unwrap(stringify(unwrap(current.build()), { format: 'yaml' }))
    expect(parse(text)).toMatchObject({
      error: {
        code: 'unsupported-version',
        message: expect.stringContaining('not OpenAPI 3.1.x; give parse the option versions'),
      },
    })
    expect(unwrap(parse(text, { versions: ['3.1', '3.2'] })).openapi).toBe('3.2.0')
    expect(parse('openapi: 3.1.1\ninfo: {}', { versions: ['3.2'] })).toMatchObject({
      error: { message: expect.stringContaining('is OpenAPI 3.1.1, not OpenAPI 3.2.x; ') },
    })
  })
})
