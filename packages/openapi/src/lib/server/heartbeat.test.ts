import { defineProblems } from '@plumbline/problem'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { events } from '../stream/events.ts'
import { implement } from './implement.ts'

const problems = defineProblems('https://example.com/problems/', {
  internal: { slug: 'internal', status: 500, title: 'Internal error' },
})
const stream = events({ progress: z.object({ done: z.int() }) })
const watch = defineOperation('watch', 'GET /watch', {
  summary: 'Watch',
  responses: { 200: { description: 'A', stream } },
})
const builder = createDocument({
  info: { title: 'Jobs', version: '1' },
  problems,
  defaults: { internal: 'internal' },
}).add(watch)
const textOf = (chunk: { readonly value?: Uint8Array | undefined } | undefined) =>
  new TextDecoder().decode(chunk?.value)

it('a comment keeps an event stream open, and only one waits for a slow client (WHATWG HTML §9.2.7)', async () => {
  vi.useFakeTimers()
  try {
    let send = (): void => undefined
    const sent = new Promise<void>((resolve) => {
      send = resolve
    })
    const { fetch } = implement(builder, {
      handlers: {
        watch: async function* () {
          await sent
          yield { event: 'progress', data: { done: 1 } }
        },
      },
    })
    const reader = (await fetch(new Request('http://localhost/watch'))).body?.getReader()
    const first = reader?.read()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(textOf(await first)).toBe(':\n\n')
    await vi.advanceTimersByTimeAsync(150_000)
    expect(textOf(await reader?.read())).toBe(':\n\n')
    send()
    expect(textOf(await reader?.read())).toBe('event: progress\ndata: {"done":1}\n\n')
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
