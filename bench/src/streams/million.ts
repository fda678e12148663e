/**
 * Sends and reads events in one process, and prints the time and the heap in use on the way, as JSON. It runs in a
 * separate process, with `--expose-gc`. Usage: `million.ts checked 1000000`
 */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { createClient } from '@plumbline/openapi/client'
import { implement } from '@plumbline/openapi/server'
import { events } from '@plumbline/openapi/streams'
import { createConformanceRecorder } from '@plumbline/openapi/testing'
import { z } from 'zod'

/** One stream's figures. */
export interface Streamed {
  readonly milliseconds: number
  /** The heap in use (bytes) after a tenth of the events, and after all. */
  readonly early: number
  readonly late: number
}

const [, , contender = '', text = ''] = process.argv
const count = Number(text)

const watch = defineOperation('watch', 'GET /events', {
  summary: 'Watch',
  responses: {
    200: { description: 'Its progress', stream: events({ progress: z.object({ done: z.int() }) }) },
  },
})
const builder = createDocument({ info: { title: 'Jobs', version: '1' }, defaults: {} }).add(watch)
const recorder = createConformanceRecorder(builder)
const api = implement(builder, {
  ...(contender === 'recorded' ? { middleware: recorder.middleware } : {}),
  handlers: {
    watch: async function* () {
      for (let done = 0; done < count; done += 1) yield { event: 'progress', data: { done } }
    },
  },
})
const client = createClient({ watch }, { baseUrl: 'http://localhost', fetch: sendTo(api.fetch) })

function sendTo(fetch: (request: Request) => Promise<Response>) {
  return (url: string, init: RequestInit) => fetch(new Request(url, init))
}

/** The same bytes, made and counted by hand. */
function byHand(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let done = 0
  return new ReadableStream({
    pull: (controller) => {
      if (done === count) return controller.close()
      controller.enqueue(encoder.encode(`event: progress\ndata: ${JSON.stringify({ done })}\n\n`))
      done += 1
    },
  })
}

async function* read(): AsyncIterable<unknown> {
  if (contender === 'by hand') yield* byHand()
  else if (contender === 'sent') {
    const { body } = await api.fetch(new Request('http://localhost/events'))
    yield* body ?? []
  } else yield* client.watch({}, { check: contender !== 'received' })
}

function heap(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const started = performance.now()
let seen = 0
let early = 0
for await (const _ of read()) {
  seen += 1
  if (seen === count / 10) early = heap()
}
const milliseconds = performance.now() - started
const late = heap()
if (seen !== count) throw new Error(`${contender}: ${seen} of ${count} events`)
if (recorder.violations().length > 0) throw new Error('an event has a violation')
console.log(JSON.stringify({ milliseconds, early, late } satisfies Streamed))
