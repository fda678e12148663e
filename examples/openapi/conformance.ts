/** A recorder checks every exchange of a test suite against the document. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { createConformanceRecorder } from '@plumbline/openapi/testing'
import { createRouter } from '@remix-run/fetch-router'
import { z } from 'zod'

const readBook = defineOperation('readBook', 'GET /books/:id', {
  summary: 'Read a book',
  responses: {
    200: { description: 'The book', body: z.object({ title: z.string() }) },
    404: { description: 'Book not found' },
  },
})
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(readBook)

const recorder = createConformanceRecorder(builder)
const router = createRouter({ middleware: [recorder.middleware] })
router.get(readBook.route.pattern, ({ params }) => {
  return Response.json(params.id === 'b1' ? { title: 'Emma' } : { name: 'Emma' })
})

// The tests:
await router.fetch('http://localhost/books/b1')
await router.fetch('http://localhost/books/b2')

// After all of them; in the suites of a service, expect both to be [].
recorder.uncovered() //=> [{ operationId: 'readBook', status: 404 }]
recorder.violations() //=> [
//     {
//       kind: 'body-mismatch',
//       operationId: 'readBook',
//       message: 'Invalid input: expected string, received undefined',
//       pointer: '/title',
//       method: 'GET',
//       url: 'http://localhost/books/b2',
//       status: 200,
//     },
//   ]
