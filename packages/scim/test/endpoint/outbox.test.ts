import { expect, it } from 'vitest'
import { createScimEndpoint } from '../../src/lib/endpoint/endpoint.ts'
import { createOutbox } from '../../src/lib/endpoint/options/outbox.ts'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { sender, USER_DEFINITIONS } from './serve.ts'

it('the outbox holds at most its limits, but always one response for each client', () => {
  const outbox = createOutbox({ unread: 100, unreadByClient: 50 })
  const release = outbox.hold('a', 60)
  expect(() => outbox.hold('a', 1)).toThrow('too many large responses')
  outbox.hold('b', 40)
  expect(() => outbox.hold('c', 1)).toThrow('too many large responses')
  release()
  release()
  outbox.hold('c', 50)
  expect(() => outbox.hold('a', 11)).toThrow('too many large responses')
})

it('the first response is always accepted, even if it exceeds the total limit', () => {
  const outbox = createOutbox({ unread: 100, unreadByClient: 50 })
  const release = outbox.hold('a', 101)
  expect(() => outbox.hold('b', 1)).toThrow('too many large responses')
  release()
  outbox.hold('b', 100)
})

it('endpoints with one outbox share the limit for a client with unread responses', async () => {
  const store = memoryStore({ definitions: USER_DEFINITIONS })
  const type = { name: 'User', endpoint: '/Users', definitions: USER_DEFINITIONS, store }
  const outbox = createOutbox({ unreadByClient: 150_000 })
  const create = () =>
    createScimEndpoint({
      basePath: '/',
      resourceTypes: [defineResourceType(type)],
      authenticate: async () => ({}),
      outbox,
      onError: () => undefined,
    })
  const [one, other] = [create(), create()]
  const user = { userName: 'a', title: 'x'.repeat(100_000) }
  const { body } = await sender(one.fetch)('POST', 'https://example.com/Users', user)
  const ask = (): Request => new Request(`https://example.com/Users/${body.id}`)
  const unread = await one.fetch(ask())
  expect((await other.fetch(ask())).status).toBe(503)
  await unread.body?.cancel()
  expect((await other.fetch(ask())).status).toBe(200)
})
