import type { CompileError } from './compile-errors.cases.ts'

/** A program with a stream, a callback and a webhook. */
export const STREAM_PROGRAM = `import { createDocument, defineOperation } from '@plumbline/openapi'
import { createClient } from '@plumbline/openapi/client'
import { implement } from '@plumbline/openapi/server'
import { events } from '@plumbline/openapi/streams'
import { createSender, defineWebhook, signWebhooks } from '@plumbline/openapi/webhooks'
import { z } from 'zod'

const bookSold = defineWebhook('bookSold', {
  summary: 'A book was sold',
  body: z.object({ title: z.string() }),
  responses: { 204: { description: 'Accepted' } },
})
const watchJob = defineOperation('watchJob', 'GET /jobs/:id/events', {
  summary: 'Watch a job',
  responses: {
    200: {
      description: 'Its progress',
      stream: events({ progress: z.object({ done: z.int() }), title: z.string() }),
    },
  },
  callbacks: { onSold: { url: '{$url}', webhook: bookSold } },
})
const builder = createDocument({ info: { title: 'Jobs', version: '1' }, defaults: {} })
  .add(watchJob)
  .addWebhook(bookSold)
export const api = implement(builder, {
  handlers: {
    watchJob: async function* () {
      yield { event: 'progress', data: { done: 1 } }
    },
  },
})
const client = createClient({ watchJob }, { baseUrl: '/' })
for await (const event of client.watchJob({ params: { id: 'j1' } }))
  if (event.event === 'progress') console.log(event.data.done)
const sender = createSender({ bookSold }, { sign: signWebhooks('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') })
await sender.bookSold('https://example.com/hooks', { title: 'Emma' })
`

export const STREAM_ERRORS: readonly CompileError[] = [
  {
    mistake: 'an event that the stream does not declare',
    from: `event: 'progress', data: { done: 1 }`,
    to: `event: 'progres', data: { done: 1 }`,
    message: `Type 'AsyncGenerator<{ event: "progres"; data: { done: number; }; }, void, any>' is not assignable to type 'AsyncIterable<SentEvent<"progress", { done: number; }> | SentEvent<"title", string>>'.`,
  },
  {
    mistake: 'an event with data of another type',
    from: 'data: { done: 1 }',
    to: `data: { done: '1' }`,
    message: `Type 'AsyncGenerator<{ event: "progress"; data: { done: string; }; }, void, any>' is not assignable to type 'AsyncIterable<SentEvent<"progress", { done: number; }> | SentEvent<"title", string>>'.`,
  },
  {
    mistake: 'a member that the data of an event does not have',
    from: 'event.data.done',
    to: 'event.data.title',
    message: `Property 'title' does not exist on type '{ done: number; }'.`,
  },
  {
    mistake: 'a webhook that is sent with a wrong body',
    from: `{ title: 'Emma' }`,
    to: '{ title: 1 }',
    message: `Type 'number' is not assignable to type 'string'.`,
  },
  {
    mistake: 'a webhook that the sender does not have',
    from: 'sender.bookSold(',
    to: 'sender.bookLent(',
    message: `Property 'bookLent' does not exist on type 'Sender<{ readonly bookSold: Webhook<"bookSold",`,
  },
  {
    mistake: 'a callback whose request is not a webhook',
    from: 'webhook: bookSold }',
    to: 'webhook: { summary: "A" } }',
    message: `Object literal may only specify known properties, and 'summary' does not exist in type 'CallbackWebhook'.`,
    // The operation's events are not known then.
    errors: 3,
  },
  {
    mistake: 'a field that a webhook does not have',
    from: `summary: 'A book was sold',`,
    to: `summary: 'A book was sold', params: z.object({}),`,
    message: `is not assignable to type '"unknown field of a webhook: params"'.`,
  },
]
