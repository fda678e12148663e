import { expect, it } from 'vitest'
import { createOutbox } from './outbox.ts'

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

it('the first response is always accepted, also one that is larger than the limit of all', () => {
  const outbox = createOutbox({ unread: 100, unreadByClient: 50 })
  const release = outbox.hold('a', 101)
  expect(() => outbox.hold('b', 1)).toThrow('too many large responses')
  release()
  outbox.hold('b', 100)
})
