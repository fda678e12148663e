/** An operation, its document and a recorder with Hono. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { openapiHandler } from '@plumbline/openapi/router'
import { createConformanceRecorder } from '@plumbline/openapi/testing'
import { isFailure } from '@plumbline/result'
import { Hono } from 'hono'
import { z } from 'zod'

const readBook = defineOperation('readBook', 'GET /books/:id', {
  summary: 'Read a book',
  params: z.object({ id: z.string().min(2) }),
  responses: {
    200: { description: 'The book', body: z.object({ id: z.string() }) },
    400: { description: 'Invalid id' },
  },
})
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(readBook)
const serveDocument = openapiHandler(() => builder.build())
const recorder = createConformanceRecorder(builder)

const app = new Hono()
app.use('/books/*', async (context, next) => {
  await recorder.middleware({ request: context.req.raw }, async () => {
    await next()
    return context.res
  })
})
app.get('/openapi.json', (context) => serveDocument(context.req.raw))
app.on(readBook.route.method, readBook.route.pattern, async (context) => {
  const parsed = await readBook.parse(context.req.raw, context.req.param())
  if (isFailure(parsed)) return new Response(null, { status: 400 })
  return Response.json(parsed.data.params)
})

const response = await app.request('/books/b1')
await response.json() //=> { id: 'b1' }
const rejected = await app.request('/books/b')
rejected.status //=> 400
recorder.violations() //=> []
recorder.uncovered() //=> []
