/** The types of handlers with streams. `tsc` checks this file; it does not run. */
import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { createDocument, defineOperation } from '../../index.ts'
import { implement } from '../../server.ts'
import { events, jsonLines } from '../../streams.ts'

const info = { title: 'Jobs', version: '1' }
const progress = z.object({ done: z.int() })
const stream = events({ progress, done: z.object({ title: z.string() }), token: z.string() })
const watch = defineOperation('watch', 'GET /jobs/:id/events', {
  summary: 'Watch',
  responses: { 200: { description: 'A', stream }, 404: { description: 'B' } },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: { 200: { description: 'A', body: progress, stream: jsonLines(progress) } },
})
const plain = defineOperation('plain', 'GET /plain', {
  summary: 'Plain',
  responses: { 200: { description: 'A', body: progress } },
})
const builder = createDocument({ info, defaults: {} }).add(watch, rows, plain)

implement(builder, {
  handlers: {
    watch: async function* ({ params, signal, lastEventId }) {
      expectTypeOf(params.id).toEqualTypeOf<string>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(lastEventId).toEqualTypeOf<string | null>()
      yield { event: 'progress', data: { done: 1 }, id: '1', retry: 1_000 }
      yield { event: 'token', data: 'a' }
      yield { event: 'done', data: { title: 'A' } }
    },
    rows: async ({ reply }) => {
      if (Math.random() > 0.5) return reply(200, { done: 1 })
      return reply(200, readRows(), { headers: { 'X-Total': 1 } })
    },
    plain: (context) => {
      // @ts-expect-error not a stream
      context.lastEventId
      return context.reply(200, { done: 1 })
    },
  },
})
async function* readRows() {
  yield { done: 1 }
}

implement(builder, {
  handlers: {
    // A handler may also answer before the stream starts.
    watch: async ({ reply, params }) => (params.id === '' ? reply(404) : reply(200, watchAll())),
    // @ts-expect-error a line that the schema rejects
    rows: async function* () {
      yield { done: '1' }
    },
    // @ts-expect-error not a stream
    plain: async function* () {
      yield { done: 1 }
    },
  },
})
async function* watchAll() {
  yield { event: 'progress', data: { done: 1 } } as const
}

implement(builder, {
  handlers: {
    // @ts-expect-error an event that the stream does not declare
    watch: async function* () {
      yield { event: 'progres', data: { done: 1 } }
    },
    rows: () => readRows(),
    plain: ({ reply }) => reply(200, { done: 1 }),
  },
})
implement(builder, {
  handlers: {
    // @ts-expect-error data of another event
    watch: async function* () {
      yield { event: 'progress', data: { title: 'A' } }
    },
    rows: async () => readRows(),
    plain: ({ reply }) => reply(200, { done: 1 }),
  },
})
