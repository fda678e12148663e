import { defineProblems } from '@plumbline/problem'
import { unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { operation, posting } from './build.cases.ts'
import { createDocument } from './build.ts'
import type { DocumentOptions } from './builder.ts'

const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
})

function describeOne(of: AnyOperation): Operation | undefined {
  const options: DocumentOptions = { info: { title: 'Books', version: '1' }, problems }
  const [item] = Object.values(unwrap(createDocument(options).add(of).build()).paths ?? {})
  return item?.post ?? item?.get
}

const rejecting: Schema = {
  '~standard': {
    version: 1,
    vendor: 'ours',
    validate: async () => Promise.reject(new Error('rejected')),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  },
}

describe('a request body', () => {
  const bodyOf = (body: NonNullable<OperationSpec['body']>) =>
    describeOne(posting('a', body))?.requestBody

  it('a single schema is application/json', () => {
    const body = z.object({ title: z.string() })
    expect(bodyOf(body)).toMatchObject({
      content: { 'application/json': { schema: { type: 'object', required: ['title'] } } },
      required: true,
    })
  })

  it('each media type has a schema, ranges and parameters included', () => {
    const types = [
      'application/json',
      'application/vnd.api+json',
      'image/*',
      '*/*',
      'text/csv; header=present',
      'text/tab-separated-values ;header=absent',
    ]
    const body = Object.fromEntries(types.map((type) => [type, z.string()]))
    const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]))
    expect(bodyOf(body)).toStrictEqual({ content, required: true })
  })

  it.each([
    ['optional', z.object({}).optional(), false],
    ['with a default', z.object({}).prefault({}), false],
    ['anything', z.unknown(), false],
    ['required', z.object({}), true],
    ['null', z.null(), true],
    ['a transform that throws', z.unknown().transform((value) => Object(value).a.b), true],
    ['an asynchronous check', z.string().refine(async () => true), true],
    ['a promise that is rejected', rejecting, true],
  ])('the body is required if its schema rejects undefined: %s', (_, body, required) => {
    expect(bodyOf(body)).toMatchObject({ required })
  })

  it('no rejection is left unhandled, which could end the process', () => {
    const promise = Promise.reject(new Error('rejected'))
    const then = vi.spyOn(promise, 'then')
    const standard = { ...rejecting['~standard'], validate: () => promise }
    bodyOf({ 'application/json': { '~standard': standard } })
    expect(then).toHaveBeenCalledWith(undefined, expect.any(Function))
  })

  it('the body is optional if one media type accepts undefined', () => {
    const body = { 'application/json': z.object({}), 'text/plain': z.string().optional() }
    expect(bodyOf(body)).toMatchObject({ required: false })
  })

  it('a file body has media types and no type (OpenAPI 3.1.1 §4.8.14.5)', () => {
    const form = z.object({
      cover: z.file().mime('image/png').max(1_000),
      back: z.file().mime(['image/png', 'image/gif']).optional(),
      text: z.file(),
    })
    expect(bodyOf({ 'multipart/form-data': form })).toMatchObject({
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              cover: { contentMediaType: 'image/png' },
              back: {
                anyOf: [{ contentMediaType: 'image/png' }, { contentMediaType: 'image/gif' }],
              },
              text: { contentMediaType: 'application/octet-stream' },
            },
            required: ['cover', 'text'],
          },
        },
      },
    })
    expect(JSON.stringify(bodyOf({ 'multipart/form-data': form }))).not.toMatch(
      /binary|maxLength|"type":"string"/,
    )
  })
})

describe('form fields (OpenAPI 3.1.1 §4.8.15)', () => {
  const JSON_PART = { contentType: 'application/json' }
  const TEXTS = { style: 'form', explode: true }
  const encodingOf = (mediaType: string, body: Schema): unknown => {
    const described = describeOne(posting('a', { [mediaType]: body }))?.requestBody
    return Object.values(Object(described).content)[0]
  }
  const meta = z.object({ a: z.string() })
  const FORM = 'application/x-www-form-urlencoded'

  it.each<[what: string, field: z.ZodType, encoding: object | undefined]>([
    ['an object', meta, JSON_PART],
    ['an optional object', meta.optional(), JSON_PART],
    ['an object that may be null', meta.nullable(), JSON_PART],
    ['an object that has a name', meta.meta({ id: 'Meta' }), JSON_PART],
    ['a record', z.record(z.string(), z.int()), JSON_PART],
    ['one of several objects', z.union([meta, z.object({ b: z.int() })]), JSON_PART],
    ['an object or a number', z.union([meta, z.int()]), JSON_PART],
    ['a list of objects', z.array(meta), JSON_PART],
    ['a list of objects or null', z.array(meta).nullable(), JSON_PART],
    ['a list of named objects', z.array(meta.meta({ id: 'Meta' })), JSON_PART],
    ['one object or a list of them', z.union([meta, z.array(meta)]), JSON_PART],
    ['a list of lists', z.array(z.array(z.int())), JSON_PART],
    ['a list of strings', z.array(z.string()), TEXTS],
    ['a list of numbers, optional', z.array(z.int()).optional(), TEXTS],
    ['one string or a list of them', z.union([z.string(), z.array(z.string())]), TEXTS],
    ['a string', z.string(), undefined],
    ['a number', z.int().optional(), undefined],
    // The type of the value cannot be known from the string that is sent.
    ['a string or an object', z.union([z.string(), meta]), undefined],
    ['a list of strings or objects', z.array(z.union([z.string(), meta])), undefined],
    ['anything', z.unknown(), undefined],
    ['a list of anything', z.array(z.unknown()), undefined],
  ])('fields are documented in the form in which they are read: %s', (_, field, encoding) => {
    for (const type of [FORM, 'multipart/form-data', 'Multipart/Form-Data; boundary=x']) {
      const described = encodingOf(type, z.object({ other: z.string(), field }))
      expect(Object(described).encoding).toStrictEqual(encoding && { field: encoding })
    }
  })

  const png = z.file().mime('image/png')
  it.each<[what: string, body: Schema, contentType: string]>([
    ['a file', z.object({ field: z.file() }), 'application/octet-stream'],
    ['a file of one type', z.object({ field: png.max(5).optional() }), 'image/png'],
    [
      'a file of several types',
      z.object({ field: z.file().mime(['image/png', 'image/gif']) }),
      'image/png, image/gif',
    ],
    ['a file that has a name', z.object({ field: png.meta({ id: 'Png' }) }), 'image/png'],
    ['a list of files', z.object({ field: z.array(png) }), 'image/png'],
    ['a file or null', z.object({ field: png.nullable() }), 'image/png'],
    [
      'one file or a list of files',
      z.object({ field: z.union([z.file(), z.array(png)]) }),
      'application/octet-stream, image/png',
    ],
    ['a body that has a name', z.object({ field: png }).meta({ id: 'Form' }), 'image/png'],
    ['a file of ArkType', type({ 'field?': 'File' }), 'application/octet-stream'],
    [
      'a file of Valibot',
      toStandardJsonSchema(
        v.object({ field: v.pipe(v.file(), v.mimeType(['image/png', 'image/webp'])) }),
      ),
      'image/png, image/webp',
    ],
  ])('file fields have their media types: %s', (_, body, contentType) => {
    expect(encodingOf('multipart/form-data', body)).toMatchObject({
      encoding: { field: { contentType } },
    })
  })

  it.each([
    ['a file or an object', z.union([z.file(), meta])],
    ['a file or a string', z.union([z.file(), z.string()])],
    ['a file or a number', z.union([z.file(), z.int()])],
    ['a file or a boolean', z.union([z.file(), z.boolean()])],
    ['files or strings', z.array(z.union([z.file(), z.string()]))],
    ['files or lists', z.array(z.union([z.file(), z.array(z.int())]))],
  ])('a field does not have a media type if it may be other than files: %s', (_, field) => {
    expect(encodingOf('multipart/form-data', z.object({ field }))).not.toHaveProperty('encoding')
  })

  it('fields are documented for a named body and for alternatives', () => {
    const body = z.union([z.object({ meta }), z.object({ list: z.array(z.int()) })])
    const encoding = { meta: JSON_PART, list: TEXTS }
    expect(encodingOf(FORM, body)).toMatchObject({ encoding })
    expect(encodingOf(FORM, body.meta({ id: 'Body' }))).toMatchObject({ encoding })
  })

  it('fields are documented only for forms, and not for responses (OpenAPI 3.1.1 §4.8.14.1)', () => {
    const form = z.object({ meta })
    expect(encodingOf('application/json', form)).not.toHaveProperty('encoding')
    const responses = { 200: { description: '', body: { [FORM]: form } } }
    const described = describeOne(operation('a', { responses }))?.responses
    expect(JSON.stringify(described)).not.toContain('encoding')
  })
})

describe('responses', () => {
  const responsesOf = (spec: Partial<OperationSpec>) => describeOne(operation('a', spec))?.responses

  it('a response has a description, headers and bodies', () => {
    const responses = {
      200: {
        description: 'A book',
        body: z.object({ title: z.string() }),
        headers: {
          ETag: { schema: z.string(), required: true, description: 'Its version' },
          Age: { schema: z.int(), required: false },
        },
      },
      204: { description: 'Nothing' },
    }
    expect(responsesOf({ responses })).toMatchObject({
      200: {
        description: 'A book',
        headers: {
          ETag: { description: 'Its version', required: true, schema: { type: 'string' } },
          Age: { required: false, schema: { type: 'integer' } },
        },
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      204: { description: 'Nothing' },
    })
    expect(responsesOf({ responses })?.[204]).toStrictEqual({ description: 'Nothing' })
  })

  it('a response may have several media types', () => {
    const body = { 'application/json': z.string(), 'text/csv': z.string() }
    const described = responsesOf({ responses: { 200: { description: '', body } } })
    expect(Object.keys(Object(described?.[200]).content)).toStrictEqual(Object.keys(body))
  })

  it('a response may be a range or default, with problems within the range', () => {
    const described = responsesOf({
      responses: {
        200: { description: 'a' },
        599: { description: 'e' },
        '2XX': { description: 'b' },
        '4XX': { description: 'c' },
        default: { description: 'd' },
      },
      problems: ['notFound'],
    })
    expect(described).toStrictEqual({
      200: { description: 'a' },
      404: { $ref: '#/components/responses/NotFound' },
      599: { description: 'e' },
      '2XX': { description: 'b' },
      '4XX': { description: 'c' },
      default: { description: 'd' },
    })
  })

  it('an operation may respond with problems only', () => {
    expect(responsesOf({ responses: {}, problems: ['notFound', 'notFound'] })).toStrictEqual({
      404: { $ref: '#/components/responses/NotFound' },
    })
  })

  it('without responses and problems, the field is omitted (OpenAPI 3.1.1 §4.8.10.1)', () => {
    for (const spec of [{ responses: {} }, { responses: {}, problems: [] }]) {
      expect(describeOne(operation('a', spec))).toStrictEqual({
        summary: 'Summary',
        operationId: 'a',
      })
    }
  })

  it("a response documents the sent value, which is a transform's input", () => {
    const body = z.object({ pages: z.string().transform(Number), at: z.iso.datetime().default('') })
    const described = responsesOf({ responses: { 200: { description: '', body } } })
    expect(described?.[200]).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { pages: { type: 'string' } }, required: ['pages'] },
        },
      },
    })
  })
})

it('examples are described with the value they belong to (OpenAPI 3.1.1 §4.8.19)', () => {
  const examples = { one: { summary: 'The first', description: 'In *full*', value: 'a' } }
  const added = operation(
    'addBook',
    {
      query: z.object({ page: z.string().max(1), size: z.int() }),
      body: { 'application/json': z.string(), 'Text/Plain; charset=utf-8': z.string() },
      examples: {
        query: { page: examples },
        body: { ...examples, other: { value: 'b', mediaType: 'text/plain' } },
      },
      responses: {
        200: {
          description: 'Added',
          body: z.string().refine(async () => true),
          examples,
          headers: { ETag: { schema: z.string(), examples } },
        },
      },
    },
    { method: 'POST', pattern: '/books' },
  )
  const options: DocumentOptions = { info: { title: 'Books', version: '1' } }
  const { paths } = unwrap(createDocument(options).add(added).build())
  const { parameters, requestBody, responses } = paths?.['/books']?.post ?? {}
  expect(parameters).toMatchObject([{ name: 'page', examples }, { name: 'size' }])
  expect(parameters?.[1]).not.toHaveProperty('examples')
  expect(requestBody).toMatchObject({
    content: {
      'application/json': { examples },
      'Text/Plain; charset=utf-8': { examples: { other: { value: 'b' } } },
    },
  })
  expect(responses?.[200]).toMatchObject({
    content: { 'application/json': { examples } },
    headers: { ETag: { examples } },
  })
})

it('a nameless recursive header schema is named after the header', () => {
  interface Tree {
    readonly children: readonly Tree[]
  }
  const tree: z.ZodType<Tree> = z.object({
    get children() {
      return z.array(tree)
    },
  })
  const headers = { 'X-Tree': { schema: tree } }
  const responses = { 200: { description: 'A tree', headers } }
  const options: DocumentOptions = { info: { title: 'Books', version: '1' } }
  const built = createDocument(options).add(operation('readTree', { responses })).build()
  expect(Object.keys(unwrap(built).components?.schemas ?? {})).toEqual(['ReadTree200XTree'])
})
