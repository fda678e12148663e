import { defineProblems } from '@plumbline/problem'
import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../model.ts'
import type { AnyOperation, OperationSpec } from '../operation.ts'
import type { Schema } from '../schema.ts'
import { operation, posting } from './builder.cases.ts'
import { createDocument, type DocumentOptions } from './builder.ts'

const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'There is no such book' },
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
    validate: async () => Promise.reject(new Error('refused')),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  },
}

describe('a request body', () => {
  const bodyOf = (body: NonNullable<OperationSpec['body']>) =>
    describeOne(posting('a', body))?.requestBody

  it('is application/json where it is one schema', () => {
    const body = z.object({ title: z.string() })
    expect(bodyOf(body)).toMatchObject({
      content: { 'application/json': { schema: { type: 'object', required: ['title'] } } },
      required: true,
    })
  })

  it('has a schema for each media type, ranges and parameters included', () => {
    const types = [
      'application/json',
      'application/vnd.api+json',
      'image/*',
      '*/*',
      'text/csv; header=present',
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
  ])('is required where its schema takes nothing else: %s', (_, body, required) => {
    expect(bodyOf(body)).toMatchObject({ required })
  })

  it('may be left out where one of its media types takes nothing', () => {
    const body = { 'application/json': z.object({}), 'text/plain': z.string().optional() }
    expect(bodyOf(body)).toMatchObject({ required: false })
  })

  it('of files has their media types and no type (OpenAPI 3.1.1 §4.8.14.5)', () => {
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

describe('responses', () => {
  const responsesOf = (spec: Partial<OperationSpec>) => describeOne(operation('a', spec))?.responses

  it('have descriptions, headers and bodies', () => {
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

  it('may have several media types', () => {
    const body = { 'application/json': z.string(), 'text/csv': z.string() }
    const described = responsesOf({ responses: { 200: { description: '', body } } })
    expect(Object.keys(Object(described?.[200]).content)).toStrictEqual(Object.keys(body))
  })

  it('may be ranges and default, beside problems within the range', () => {
    const described = responsesOf({
      responses: {
        200: { description: 'a' },
        '2XX': { description: 'b' },
        '4XX': { description: 'c' },
        default: { description: 'd' },
      },
      problems: ['notFound'],
    })
    expect(described).toStrictEqual({
      200: { description: 'a' },
      404: { $ref: '#/components/responses/NotFound' },
      '2XX': { description: 'b' },
      '4XX': { description: 'c' },
      default: { description: 'd' },
    })
  })

  it('may be problems alone', () => {
    expect(responsesOf({ responses: {}, problems: ['notFound', 'notFound'] })).toStrictEqual({
      404: { $ref: '#/components/responses/NotFound' },
    })
  })

  it('show what is on the wire, which is the input of a transform', () => {
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
