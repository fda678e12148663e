import { unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { generateTests } from '../../../../contract/src/lib/generate/generate-tests.ts'
import { createConformanceRecorder } from '../check/recorder.ts'
import { createClient } from '../client/client.ts'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { implement } from './implement.ts'

const readCover = defineOperation('readCover', 'GET /cover', {
  summary: 'Read the cover',
  responses: { 200: { description: 'The cover', body: z.file() } },
})
const readPicture = defineOperation('readPicture', 'GET /picture', {
  summary: 'Read the picture',
  responses: {
    200: { description: 'It', body: z.file().mime(['image/png', 'image/gif']) },
    201: { description: 'A PNG', body: z.file().mime('image/png') },
  },
})
const create = () => createDocument({ info: { title: 'A', version: '1' }, defaults: {} })

/** The answers of the API to `GET /cover` and `GET /picture`, with the kinds of their violations. */
async function answers(body: Blob | Uint8Array<ArrayBuffer>, status: 200 | 201 = 200) {
  const builder = create().add(readCover, readPicture)
  const recorder = createConformanceRecorder(builder)
  const errors: unknown[] = []
  const api = implement(builder, {
    onError: (error) => void errors.push(String(error)),
    handlers: {
      readCover: ({ reply }) => reply(200, body),
      readPicture: ({ reply }) => reply(status, body),
    },
    middleware: (matched, next) => recorder.middleware(matched, next),
  })
  const client = createClient(builder, {
    baseUrl: 'http://localhost',
    fetch: (input, init) => api.fetch(new Request(input, init)),
  })
  return { client, errors, violations: () => recorder.violations().map(({ kind }) => kind) }
}

it.each<[string, Schema, readonly string[]]>([
  ['a file', z.file(), ['*/*']],
  ['a file or null', z.file().nullable(), ['*/*']],
  ['a file of one type', z.file().mime('image/png'), ['image/png']],
  ['a file of two types', z.file().mime(['image/png', 'image/gif']), ['image/png', 'image/gif']],
  ['a file of ArkType', type('File'), ['*/*']],
  [
    'a file of Valibot',
    toStandardJsonSchema(v.pipe(v.file(), v.mimeType(['image/webp']))),
    ['image/webp'],
  ],
  ['an object', z.object({}), ['application/json']],
])('the document names the media types of a body that is %s', (_, body, types) => {
  const operation = defineOperation('a', 'POST /a', {
    summary: 'A',
    body,
    responses: { 200: { description: 'A', body } },
  })
  const { paths } = unwrap(create().add(operation).build())
  const { requestBody, responses } = Object(paths?.['/a']?.post)
  expect(Object.keys(requestBody.content)).toEqual(types)
  expect(Object.keys(responses[200].content)).toEqual(types)
})

it.each([
  ['with its own type', new Blob(['%PDF'], { type: 'application/pdf' }), 'application/pdf'],
  [
    'with JSON, which is not parsed',
    new Blob(['{"a": 1}'], { type: 'application/json' }),
    'application/json',
  ],
  ['without a type', new Blob(['a']), 'application/octet-stream'],
  ['sent as bytes', new Uint8Array([97]), 'application/octet-stream'],
])('a client downloads a file %s', async (_, body, contentType) => {
  const { client, violations } = await answers(body)
  const answer = await client.readCover()
  if (answer.problem !== undefined) throw new Error(answer.problem)
  expect(answer.contentType).toBe(contentType)
  expect(await answer.body.text()).toBe(await new Blob([body]).text())
  expect(violations()).toEqual([])
})

it("bytes without a type get the file schema's only type", async () => {
  const { client, violations } = await answers(new Uint8Array([97]), 201)
  expect((await client.readPicture()).contentType).toBe('image/png')
  expect(violations()).toEqual([])
})

it('a file with an undeclared type is a handler error', async () => {
  const pdf = new Blob(['a'], { type: 'application/pdf' })
  const { client, errors } = await answers(pdf)
  expect((await client.readPicture()).status).toBe(500)
  expect(errors).toEqual([
    'TypeError: operation "readPicture" must name a media type for status 200',
  ])
})

it('a recorder reports a file whose type the schema does not name', async () => {
  const recorder = createConformanceRecorder(create().add(readCover, readPicture))
  const request = new Request('http://localhost/picture')
  const headers = { 'Content-Type': 'application/pdf' }
  await recorder.middleware({ request }, async () => new Response('a', { headers }))
  expect(recorder.violations().map(({ message }) => message)).toEqual([
    'application/pdf is not one of image/png, image/gif',
  ])
})

const png = z.file().mime('image/png')
const uploadAny = defineOperation('uploadAny', 'PUT /any', {
  summary: 'Upload a file',
  body: z.file(),
  responses: { 200: { description: 'The same file', body: z.file() } },
})
const uploadPng = defineOperation('uploadPng', 'PUT /png', {
  summary: 'Upload a picture',
  body: png,
  responses: { 200: { description: 'The same picture', body: png } },
})
const echo = implement(create().add(uploadAny, uploadPng), {
  handlers: {
    uploadAny: ({ body, reply }) => reply(200, body),
    uploadPng: ({ body, reply }) => reply(200, body),
  },
})

describe('an API keeps the contract when it sends uploaded files back', () => {
  for (const { name, run } of generateTests(echo, { seed: 3, runs: 20 })) it(name, run)
})
