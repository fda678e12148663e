import { createDocument, defineOperation } from '@plumbline/openapi'
import { defineProblems } from '@plumbline/problem'
import { toStandardJsonSchema } from '@plumbline/problem/zod-mini'
import { isFailure, unwrap } from '@plumbline/result'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import * as z3 from 'zod/v3'
import type { Schema } from '../src/lib/schema/standard-schema.ts'

const info = { title: 'Books', version: '1' }

/** The same schemas of zod and zod Mini, for one service each. */
interface Schemas {
  readonly Params: Schema & StandardSchemaV1<{ id: unknown }, { id: number }>
  readonly Query: Schema
  readonly Book: Schema
  readonly Books: Schema
  readonly Tree: Schema
  readonly Form: Schema
  readonly File: Schema
  readonly Header: Schema
  readonly Extensions: Schema
}

function ofZod(): Schemas {
  const Author = z.object({ name: z.string().trim().min(1) }).meta({ id: 'Author' })
  const Book = z
    .object({
      id: z.string().meta({ readOnly: true }),
      title: z.string().regex(/^[A-Z]/),
      kind: z.enum(['novel', 'poem']).default('novel'),
      at: z.iso.datetime().transform((text) => new Date(text)),
      day: z.iso.date().optional(),
      link: z.url(),
      address: z.ipv6().nullable(),
      price: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
      authors: z.array(Author).readonly(),
      size: z.tuple([z.int(), z.int().optional()]),
      rating: z.int().catch(3),
      note: z.preprocess((sent) => sent ?? '', z.string()),
      tags: z.record(z.string(), z.string()),
      about: z.discriminatedUnion('is', [
        z.object({ is: z.literal('a'), a: z.string() }),
        z.object({ is: z.literal('b'), b: z.int() }),
      ]),
    })
    .meta({ id: 'Book', description: 'A book', examples: [BOOK] })
  const Tree = z.object({
    name: z.string(),
    get kids() {
      return z.array(Tree)
    },
  })
  return {
    Params: z.object({ id: z.coerce.number() }),
    Query: z.object({ page: z.int().min(1).default(1), deep: z.stringbool().optional() }),
    Book,
    Books: z.array(Book),
    Tree,
    Form: z.object({ file: z.file().mime('image/png'), title: z.string() }),
    File: z.file(),
    Header: z.int(),
    Extensions: z.object({ balance: z.number(), author: Author.optional() }),
  }
}

function ofMini(): Schemas {
  const Author = mini
    .object({ name: mini.string().check(mini.trim(), mini.minLength(1)) })
    .check(mini.meta({ id: 'Author' }))
  const Book = mini
    .object({
      id: mini.string().check(mini.meta({ readOnly: true })),
      title: mini.string().check(mini.regex(/^[A-Z]/)),
      kind: mini._default(mini.enum(['novel', 'poem']), 'novel'),
      at: mini.pipe(
        mini.iso.datetime(),
        mini.transform((text) => new Date(text)),
      ),
      day: mini.optional(mini.iso.date()),
      link: mini.url(),
      address: mini.nullable(mini.ipv6()),
      price: mini.codec(mini.string(), mini.number(), { decode: Number, encode: String }),
      authors: mini.readonly(mini.array(Author)),
      size: mini.tuple([mini.int(), mini.optional(mini.int())]),
      rating: mini.catch(mini.int(), 3),
      note: mini.pipe(
        mini.transform((sent) => sent ?? ''),
        mini.string(),
      ),
      tags: mini.record(mini.string(), mini.string()),
      about: mini.discriminatedUnion('is', [
        mini.object({ is: mini.literal('a'), a: mini.string() }),
        mini.object({ is: mini.literal('b'), b: mini.int() }),
      ]),
    })
    .check(mini.meta({ id: 'Book', description: 'A book', examples: [BOOK] }))
  const Tree = mini.object({
    name: mini.string(),
    get kids() {
      return mini.array(Tree)
    },
  })
  return {
    Params: toStandardJsonSchema(mini.object({ id: mini.coerce.number() })),
    Query: toStandardJsonSchema(
      mini.object({
        page: mini._default(mini.int().check(mini.gte(1)), 1),
        deep: mini.optional(mini.stringbool()),
      }),
    ),
    Book: toStandardJsonSchema(Book),
    Books: toStandardJsonSchema(mini.array(Book)),
    Tree: toStandardJsonSchema(Tree),
    Form: toStandardJsonSchema(
      mini.object({ file: mini.file().check(mini.mime(['image/png'])), title: mini.string() }),
    ),
    File: toStandardJsonSchema(mini.file()),
    Header: toStandardJsonSchema(mini.int()),
    Extensions: toStandardJsonSchema(
      mini.object({ balance: mini.number(), author: mini.optional(Author) }),
    ),
  }
}

const BOOK = {
  id: 'b1',
  title: 'Emma',
  at: '1815-12-23T00:00:00Z',
  link: 'https://example.com/',
  address: null,
  price: '5',
  authors: [{ name: ' Jane ' }],
  size: [1],
  tags: {},
  about: { is: 'a', a: 'x' },
}

function serviceOf({ Params, Query, Book, Books, Tree, Form, File, Header, Extensions }: Schemas) {
  const problems = defineProblems('https://example.com/problems/', {
    noCredit: { slug: 'no-credit', status: 403, title: 'No credit', extensions: Extensions },
  })
  const write = defineOperation('write', 'PUT /books/:id', {
    summary: 'Write',
    params: Params,
    query: Query,
    body: Book,
    responses: {
      200: { description: 'Books', body: Books, headers: { Total: { schema: Header } } },
    },
    problems: ['noCredit'],
  })
  const plant = defineOperation('plant', 'POST /trees', {
    summary: 'Plant',
    body: Tree,
    responses: { 200: { description: 'Tree', body: Tree } },
  })
  const upload = defineOperation('upload', 'POST /covers', {
    summary: 'Upload',
    body: { 'multipart/form-data': Form },
    responses: { 200: { description: 'The file', body: File } },
  })
  const builder = createDocument({ info, problems }).add(write, plant, upload)
  return { builder, write, plant, upload }
}

/** The result of parsing, as a test compares it. */
async function read(parsing: Promise<unknown>): Promise<unknown> {
  const result = await parsing
  return JSON.parse(JSON.stringify(result))
}

const classic = serviceOf(ofZod())
const small = serviceOf(ofMini())

describe('a zod Mini service', () => {
  it('the service has the same document as a zod service', () => {
    const document = unwrap(small.builder.build())
    expect(document).toEqual(unwrap(classic.builder.build()))
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(
      expect.arrayContaining(['Author', 'Book']),
    )
  })

  it.each<[what: string, path: string, body: unknown]>([
    ['a valid request', '?page=2&deep=yes', BOOK],
    ['defaults', '', { ...BOOK, rating: 'x', note: null }],
    ['an invalid query', '?page=0', BOOK],
    ['an invalid member', '', { ...BOOK, authors: [{ name: ' ' }] }],
    ['a missing member', '', { title: 'Emma' }],
  ])('the service reads requests as a zod service does: %s', async (_, path, body) => {
    const request = () =>
      new Request(`http://h/books/5${path}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const [mine, other] = [small, classic].map(({ write }) =>
      read(write.parse(request(), { id: '5' })),
    )
    expect(await mine).toEqual(await other)
  })

  it('the service reads dates, numbers and files', async () => {
    const request = new Request('http://h/books/5', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(BOOK),
    })
    expect(unwrap(await small.write.parse(request, { id: '5' }))).toMatchObject({
      params: { id: 5 },
      query: { page: 1 },
      body: { kind: 'novel', at: new Date(BOOK.at), price: 5, authors: [{ name: 'Jane' }] },
    })
    const form = new FormData()
    form.set('file', new File(['x'], 'a.png', { type: 'image/png' }))
    form.set('title', '5')
    const upload = new Request('http://h/covers', { method: 'POST', body: form })
    expect(unwrap(await small.upload.parse(upload)).body).toMatchObject({
      file: expect.any(File),
      title: '5',
    })
  })

  it('the service reads a recursive schema', async () => {
    const plant = async (body: unknown) => {
      const headers = { 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return small.plant.parse(new Request('http://h/trees', init))
    }
    const tree = { name: 'a', kids: [{ name: 'b', kids: [] }] }
    expect(unwrap(await plant(tree)).body).toEqual(tree)
    expect(isFailure(await plant({ name: 'a', kids: [{ name: 'b' }] }))).toBe(true)
  })
})

describe('toStandardJsonSchema from /zod-mini', () => {
  it('zod schemas within a zod Mini schema are converted, and the other way around', () => {
    const inner = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    const jsonOf = (schema: Schema) =>
      schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }).properties
    const mixed = toStandardJsonSchema(mini.object({ b: z.object({ a: z.string() }) }))
    expect(jsonOf(mixed)).toEqual({ b: inner })
    const other = toStandardJsonSchema(z.object({ b: mini.object({ a: mini.string() }) }))
    expect(jsonOf(other)).toEqual({ b: inner })
  })

  it('the output is described, too', () => {
    const schema = toStandardJsonSchema(mini._default(mini.string(), 'a'))
    const { jsonSchema } = schema['~standard']
    expect(jsonSchema.output({ target: 'draft-07' })).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'string',
      default: 'a',
    })
  })

  it('the schema is kept for nesting, and stays unchanged', () => {
    const schema = mini.string()
    const converted = toStandardJsonSchema(schema)
    expect(converted.schema).toBe(schema)
    expect(schema['~standard']).not.toHaveProperty('jsonSchema')
  })

  it.each<[what: string, schema: unknown]>([
    ['a schema of zod 3', z3.object({})],
    ['a schema of another library', type('string')],
    ['a class', mini.ZodMiniString],
    ['undefined', undefined],
  ])('%s is not accepted', (_, schema) => {
    expect(() => toStandardJsonSchema(schema as mini.ZodMiniType)).toThrow(
      new TypeError('toStandardJsonSchema needs a schema of zod 4 or zod Mini'),
    )
  })

  it.each<[what: string, schema: Schema, pointer: string, message: string]>([
    [
      'a part without a JSON Schema',
      toStandardJsonSchema(mini.object({ at: mini.date() })),
      '/properties/at',
      'Date cannot be represented in JSON Schema; use a schema for the value that is sent',
    ],
    [
      'a result of itself within another schema',
      toStandardJsonSchema(
        mini.object({ a: toStandardJsonSchema(mini.string()) as unknown as mini.ZodMiniType }),
      ),
      '/properties/a',
      'the schema is of zod 3, or a result of toStandardJsonSchema; use the schema itself, of zod 4',
    ],
  ])('%s is a build fault at its place', (_, body, pointer, message) => {
    const operation = defineOperation('send', 'POST /x', { summary: 'Send', body })
    const built = createDocument({ info }).add(operation).build()
    expect(isFailure(built) && built.error.errors).toMatchObject([
      {
        code: 'no-json-schema',
        pointer: `/paths/~1x/post/requestBody/content/application~1json/schema${pointer}`,
        message,
      },
    ])
  })
})
