import { defineProblems } from '@plumbline/problem'
import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkResponse } from '../../testing.ts'
import { createDocument } from '../document/build.ts'
import type { ProblemDefaults } from '../document/defaults.ts'
import { defineOperation } from '../operation.ts'
import { implement } from './implement.ts'

const info = { title: 'Books', version: '1' }

describe('a document without its own problems', () => {
  const create = defineOperation('create', 'POST /books', {
    summary: 'Add a book',
    body: z.object({
      isbn: z.string().regex(/^\d+$/),
      author: z.object({ names: z.array(z.string()) }),
    }),
    query: z.object({ page: z.int().optional(), limit: z.int().max(9).optional() }),
    responses: { 204: { description: 'Added' } },
  })
  const document = createDocument({ info, defaults: {} }).add(create)
  const api = implement(document, { handlers: { create: ({ reply }) => reply(204) } })
  const send = async (search: string, body: unknown) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return await api.fetch(new Request(`http://localhost/books${search}`, init))
  }

  it('the errors and the detail name the invalid body fields', async () => {
    const response = await send('', { isbn: 'x', author: { names: ['a', 5] } })
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Unprocessable content',
      status: 422,
      detail: expect.stringMatching(/^body: isbn: [^;]+; author\.names\.1: [^;]+$/),
      errors: [
        { location: 'body', pointer: '/isbn', detail: expect.any(String) },
        { location: 'body', pointer: '/author/names/1', detail: expect.any(String) },
      ],
    })
  })

  it('the errors name the invalid query parameters', async () => {
    const response = await send('?page=a&limit=10', {})
    expect(await response.json()).toMatchObject({
      detail: expect.stringMatching(/^query: page: [^;]+; limit: [^;]+$/),
      errors: [
        { location: 'query', pointer: '/page' },
        { location: 'query', pointer: '/limit' },
      ],
    })
  })

  it('the document describes the errors', async () => {
    const result = await checkResponse(
      document,
      new Request('http://localhost/books', { method: 'POST' }),
      await send('', {}),
    )
    expect(result.status).toBe('success')
    const { components } = unwrap(document.build())
    expect(components?.schemas?.InvalidProblem).toMatchObject({
      allOf: [
        { $ref: '#/components/schemas/Problem' },
        { properties: { errors: { type: 'array' } }, required: ['errors'] },
      ],
    })
  })
})

it('an unknown path is answered with an application problem only if the document names it', async () => {
  const problems = defineProblems('https://example.com/', {
    notFound: { slug: 'not-found', status: 404, title: 'No such book' },
    noSuchPage: { slug: 'no-such-page', status: 404, title: 'No such page' },
  })
  const read = defineOperation('read', 'GET /books', {
    summary: 'Read',
    responses: { 204: { description: 'Done' } },
  })
  const titleOf = async (defaults: ProblemDefaults<keyof typeof problems>) => {
    const document = createDocument({ info, problems, defaults }).add(read)
    const api = implement(document, { handlers: { read: ({ reply }) => reply(204) } })
    return await (await api.fetch(new Request('http://localhost/nope'))).json()
  }
  expect(await titleOf({})).toMatchObject({ type: 'about:blank', title: 'Not found', status: 404 })
  expect(await titleOf({ notFound: 'noSuchPage' })).toMatchObject({ title: 'No such page' })
})

it.each([
  ['http://localhost/api/nope?token=secret', 'No operation matches the path /api/nope.'],
  ['http://localhost/api/b%22ooks', 'No operation matches the path /api/b%22ooks.'],
  ['http://localhost/books', 'The path /books is not below /api.'],
])('the 404 for %s names the path', async (url, detail) => {
  const read = defineOperation('read', 'GET /books', {
    summary: 'Read',
    responses: { 204: { description: 'Done' } },
  })
  const api = implement(createDocument({ info, defaults: {} }).add(read), {
    basePath: '/api',
    handlers: { read: ({ reply }) => reply(204) },
  })
  const response = await api.fetch(new Request(url))
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'Not found',
    status: 404,
    detail,
  })
})
