import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { events } from '../stream/events.ts'
import { jsonLines } from '../stream/json-lines.ts'
import { createClient } from './client.ts'

const watch = defineOperation('watch', 'GET /jobs/:id/events', {
  summary: 'Watch',
  responses: {
    200: {
      description: 'A',
      stream: events({ progress: z.object({ done: z.int() }), token: z.string() }),
    },
    404: { description: 'B' },
  },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: {
    200: {
      description: 'A',
      body: { 'application/json': z.object({ total: z.int() }) },
      stream: jsonLines(z.object({ title: z.string() })),
    },
  },
})
export const operations = { watch, rows }
export const params = { id: 'j1' }

export type Served = Response | Error | ((init: RequestInit) => Response)
/** A client whose requests get these answers in turn, and the requests that it sent. */
export function clientOf(...answers: Served[]) {
  const sent: Request[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push(new Request(url, init))
    const answer = answers.shift() ?? new Error('no more answers')
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(init) : answer
  }
  return { client: createClient(operations, { baseUrl: 'https://h', fetch }), sent, fetch }
}

/** A response of these pieces. An error breaks the connection, and null leaves it open. */
export function stream(pieces: readonly (string | Error | null)[], type = 'text/event-stream') {
  const rest = [...pieces]
  const state = { isCancelled: false }
  const body = new ReadableStream({
    pull: (controller) => {
      const piece = rest.shift()
      if (piece === undefined) controller.close()
      else if (piece instanceof Error) controller.error(piece)
      else if (piece !== null) controller.enqueue(new TextEncoder().encode(piece))
      return piece === null ? new Promise<void>(() => undefined) : undefined
    },
    cancel: () => {
      state.isCancelled = true
    },
  })
  return Object.assign(new Response(body, { headers: { 'Content-Type': type } }), state, {
    wasCancelled: () => state.isCancelled,
  })
}
export const progress = (done: number, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: progress\ndata: {"done":${done}}\n\n`
export const event = (done: number, id?: string) => ({
  event: 'progress',
  data: { done },
  ...(id === undefined ? {} : { id }),
})

export async function collect<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const all: Part[] = []
  for await (const part of parts) all.push(part)
  return all
}
