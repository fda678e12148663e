import { setTimeout } from 'node:timers/promises'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { events } from '@plumbline/openapi/streams'
import { z } from 'zod'

const watchJob = defineOperation('watchJob', 'GET /jobs/:id/events', {
  summary: 'Watch a job',
  responses: {
    200: {
      description: 'Its progress',
      stream: events({ progress: z.object({ done: z.int() }), done: z.string() }),
    },
  },
})
export const builder = createDocument({
  info: { title: 'Jobs', version: '1.0.0' },
  defaults: {},
}).add(watchJob)

/** The IDs that clients sent, and whether each generator has ended. */
export const connections: { lastEventId: string | null; hasEnded: boolean }[] = []

export const api = implement(builder, {
  onError: () => undefined,
  handlers: {
    watchJob: async function* ({ params, lastEventId, signal }) {
      const connection = { lastEventId, hasEnded: false }
      connections.push(connection)
      try {
        for (let done = Number(lastEventId ?? 0) + 1; done <= 3; done += 1) {
          yield { event: 'progress', data: { done }, id: String(done), retry: 10 }
          if (params.id === 'broken' && lastEventId === null && done === 2) {
            // The connection is aborted in the middle of the stream, after the server has sent the first events.
            await setTimeout(100)
            throw new Error('cut')
          }
          if (params.id === 'endless')
            await new Promise((end) => signal.addEventListener('abort', end))
        }
        yield { event: 'done', data: 'größer\nthan a line' }
      } finally {
        connection.hasEnded = true
      }
    },
  },
})
