/** A stream of typed events: one value for the handler, the document, the recorder and the client. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { createClient } from '@plumbline/openapi/client'
import { implement } from '@plumbline/openapi/server'
import { events } from '@plumbline/openapi/streams'
import { createConformanceRecorder } from '@plumbline/openapi/testing'
import { z } from 'zod'

const watchJob = defineOperation('watchJob', 'GET /jobs/:id/events', {
  summary: 'Watch a job',
  responses: {
    200: {
      description: 'Its progress',
      stream: events({
        progress: z.object({ done: z.int() }),
        token: z.string(),
        // An exception of the handler is sent as this event, because the schema accepts a problem.
        error: z.object({ title: z.string(), status: z.int() }),
      }),
    },
    404: { description: 'Job not found' },
  },
})
const jobs = createDocument({ info: { title: 'Jobs', version: '1.0.0' }, defaults: {} })

async function* watch(from: number) {
  for (let done = from; done < 3; done += 1) {
    // The next event is made when the client has read this one.
    yield { event: 'progress', data: { done }, id: String(done) } as const
  }
  throw new Error('the job has failed')
}
const server = implement(jobs.add(watchJob), {
  onError: () => undefined,
  handlers: {
    watchJob: async ({ params, lastEventId, reply }) =>
      params.id === 'j1' ? watch(Number(lastEventId ?? 0) + 1) : reply(404),
  },
})

// The recorder checks and counts each event while the client reads it.
const recorder = createConformanceRecorder(server.document)
const fetch = async (url: string, init: RequestInit) => {
  const request = new Request(url, init)
  return await recorder.middleware({ request }, () => server.fetch(request))
}
const client = createClient({ watchJob }, { baseUrl: 'https://jobs.example', fetch })

const seen: string[] = []
for await (const event of client.watchJob({ params: { id: 'j1' } }, { check: true })) {
  if (event.event === 'progress') seen.push(`${event.id}: ${event.data.done}`)
  if (event.event === 'error') seen.push(event.data.title)
}
seen //=> ['1: 1', '2: 2', 'Internal server error']

const missing = await client.watchJob({ params: { id: 'j2' } })
missing.status //=> 404
recorder.violations() //=> []
