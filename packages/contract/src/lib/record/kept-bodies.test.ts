import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createContractRecorder } from './recorder.ts'

const addBook = defineOperation('addBook', 'POST /books', {
  summary: 'Add a book',
  body: z.object({ title: z.string(), note: z.string().optional() }).optional(),
  responses: { 204: { description: 'Added' } },
})
const builder = createDocument({ info: { title: 'A', version: '1' }, defaults: {} }).add(addBook)

/** The names of the members that requests cover, recorded by `implement` or around its `fetch`. */
async function cover(requests: readonly Request[], isInside: boolean): Promise<readonly string[]> {
  const { middleware, report } = createContractRecorder(builder)
  const api = implement(builder, {
    ...(isInside ? { middleware } : {}),
    handlers: { addBook: ({ reply }) => reply(204) },
  })
  for (const request of requests) {
    const next = () => api.fetch(request)
    await (isInside ? next() : middleware({ request }, next))
  }
  const [operation] = report().operations
  const seen = (operation?.items ?? []).filter(({ kind, count }) => kind === 'members' && count > 0)
  return seen.map(({ name }) => name)
}

function post(body?: string, headers = { 'Content-Type': 'application/json' }): Request {
  return new Request('http://localhost/books', {
    method: 'POST',
    ...(body ? { body } : {}),
    headers,
  })
}

it.each<[string, () => Request, readonly string[]]>([
  ['a body', () => post('{"title":"a","note":"b"}'), ['request /note']],
  ['a body without a member', () => post('{"title":"a"}'), ['request /note absent']],
  ['no body', () => post(), ['request absent']],
  ['a rejected body', () => post('{"title":1}'), []],
  ['malformed JSON', () => post('{'), []],
  ['another media type', () => post('a', { 'Content-Type': 'text/plain' }), []],
])(
  'a recorder inside implement and one around it count the same members: %s',
  async (_, make, names) => {
    const inside = await cover([make()], true)
    expect(inside).toEqual(names)
    expect(inside).toEqual(await cover([make()], false))
  },
)

it('a recorder inside implement does not copy the request', async () => {
  const request = post('{"title":"a"}')
  const clone = vi.spyOn(request, 'clone')
  expect(await cover([request], true)).not.toEqual([])
  expect(clone).not.toHaveBeenCalled()
})

it("middleware reads a parsed body's bytes, and none from a rejected request", async () => {
  const seen: (string | undefined)[] = []
  const api = implement(builder, {
    bodyLimit: 20,
    middleware: async ({ readBytes }, next) => {
      expect(readBytes()).toBeNull()
      const response = await next()
      const bytes = readBytes()
      seen.push(bytes === null ? undefined : new TextDecoder().decode(bytes))
      return response
    },
    handlers: { addBook: ({ reply }) => reply(204) },
  })
  for (const body of ['{"title":"a"}', `{"title":"${'a'.repeat(20)}"}`]) await api.fetch(post(body))
  expect(seen).toEqual(['{"title":"a"}', undefined])
})
