import { trace } from '@opentelemetry/api'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { z } from 'zod'
import { recordError, traced } from './trace.ts'

const readBook = defineOperation('readBook', 'GET /books/:id', {
  summary: 'Read a book',
  responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
})
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' }, defaults: {} })

export const api = implement(builder.add(readBook), {
  middleware: traced,
  onError: recordError,
  handlers: {
    readBook: async ({ params, reply }) => {
      // A span of a handler is a child of the span of its exchange.
      return await trace.getTracer('books').startActiveSpan('read from the shelf', async (span) => {
        if (params.id === 'lost') throw new Error('the shelf is empty')
        span.end()
        return reply(200, { title: 'Emma' })
      })
    },
  },
})
