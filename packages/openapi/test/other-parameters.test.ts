import { createDocument, defineOperation } from '@plumbline/openapi'
import { createClient } from '@plumbline/openapi/client'
import { implement } from '@plumbline/openapi/server'
import { createConformanceRecorder } from '@plumbline/openapi/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'

const builder = createDocument({
  info: { title: 'Books', version: '1' },
  defaults: {},
}).add(
  defineOperation('search', 'GET /books', {
    summary: 'Search',
    query: z.object({ page: z.int().optional() }).catchall(z.int()),
    responses: { 200: { description: 'The query', body: z.record(z.string(), z.int()) } },
  }),
)

function serve() {
  const recorder = createConformanceRecorder(builder)
  const api = implement(builder, {
    middleware: recorder.middleware,
    handlers: {
      search: ({ query, reply }) =>
        reply(200, Object.fromEntries(Object.entries(query).map(([name, n]) => [name, n ?? 0]))),
    },
  })
  return { recorder, api }
}

it('other query parameters reach the handler as their schema returns them', async () => {
  const { recorder, api } = serve()
  const client = createClient(builder, {
    baseUrl: 'http://h',
    fetch: (url, init) => api.fetch(new Request(url, init)),
  })
  const { body } = await client.search({ query: { page: 1, rating: 5 } })
  expect(body).toEqual({ page: 1, rating: 5 })
  expect((await api.fetch(new Request('http://h/books?rating=x'))).status).toBe(422)
  expect(recorder.violations()).toEqual([])
})
