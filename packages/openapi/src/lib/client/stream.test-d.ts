/** The types of streams of a client. `tsc` checks this file; it does not run. */
import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../../index.ts'
import { events, jsonLines } from '../../streams.ts'
import { createClient } from './client.ts'

const Progress = z.object({ done: z.int() })
const watch = defineOperation('watch', 'GET /jobs/:id/events', {
  summary: 'Watch',
  responses: {
    200: { description: 'A', stream: events({ progress: Progress, token: z.string() }) },
    404: { description: 'B' },
  },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: {
    200: { description: 'A', body: { 'text/plain': z.string() }, stream: jsonLines(Progress) },
  },
})
const plain = defineOperation('plain', 'GET /plain', {
  summary: 'Plain',
  responses: { 200: { description: 'A', body: Progress } },
})
const client = createClient({ watch, rows, plain }, { baseUrl: '/' })
const params = { id: 'j1' }

for await (const event of client.watch({ params }, { check: true, reconnect: 'always' })) {
  expectTypeOf(event.id).toEqualTypeOf<string | undefined>()
  if (event.event === 'progress') expectTypeOf(event.data.done).toEqualTypeOf<number>()
  else expectTypeOf(event.data).toEqualTypeOf<string>()
  // @ts-expect-error an event the stream does not declare
  if (event.event === 'done') break
}
for await (const row of client.rows()) expectTypeOf(row.done).toEqualTypeOf<number>()

client.rows({ accept: 'text/plain' })
client.rows({ accept: 'application/x-ndjson' })
client.watch({ params, accept: 'text/event-stream' })
// @ts-expect-error a media type the operation does not declare
client.rows({ accept: 'text/csv' })
// @ts-expect-error a single media type cannot be chosen
client.plain({ accept: 'application/json' })

const answer = await client.rows()
if (answer.contentType === 'application/jsonl') {
  for await (const row of answer.body) expectTypeOf(row.done).toEqualTypeOf<number>()
}
const watched = await client.watch({ params })
expectTypeOf(watched.status).toEqualTypeOf<200 | 404>()
if (watched.status === 404) expectTypeOf(watched.body).toEqualTypeOf<undefined>()
// @ts-expect-error not a stream
client.plain()[Symbol.asyncIterator]
// @ts-expect-error an option of streams
client.plain({}, { check: true })
// @ts-expect-error an unknown option
client.watch({ params }, { reconnect: true })
