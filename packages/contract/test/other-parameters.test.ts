import { createContractRecorder, generateTests } from '@plumbline/contract'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
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

const api = implement(builder, {
  handlers: {
    search: ({ query, reply }) =>
      reply(200, Object.fromEntries(Object.entries(query).map(([name, n]) => [name, n ?? 0]))),
  },
})

it('other query parameters are not counted, and generated tests do not send them', async () => {
  const { operations } = createContractRecorder(builder).report()
  expect(JSON.stringify(operations)).not.toContain('query:others')
  const sent: string[] = []
  const fetch = (request: Request) => {
    sent.push(request.url)
    return api.fetch(request)
  }
  for (const { run } of generateTests({ ...api, fetch })) await run()
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter((url) => url.includes('others'))).toEqual([])
})
