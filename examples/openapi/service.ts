/** A service that serves its document and answers every rejected request with a problem document. */
import { createDocument, defineOperation, type OperationInputError } from '@plumbline/openapi'
import { openapiHandler } from '@plumbline/openapi/router'
import { defineProblems, ISSUES_SCHEMA, issuesFrom } from '@plumbline/problem'
import { isFailure } from '@plumbline/result'
import { createRouter } from '@remix-run/fetch-router'
import { post, route } from '@remix-run/fetch-router/routes'
import * as z from 'zod'

const problems = defineProblems('https://example.com/problems', {
  malformed: { slug: 'malformed', status: 400, title: 'The request could not be read' },
  unsupported: { slug: 'unsupported', status: 415, title: 'The media type is not supported' },
  invalid: {
    slug: 'invalid',
    status: 422,
    title: 'The request is not valid',
    extensions: { errors: ISSUES_SCHEMA },
  },
})
const NewBook = z.object({ title: z.string().min(1) })
const Book = NewBook.extend({ id: z.string() }).meta({ id: 'Book' })

const routes = route({ addBook: post('/books') })
const addBook = defineOperation('addBook', routes.addBook, {
  summary: 'Add a book',
  body: { 'application/json': NewBook },
  responses: { 201: { description: 'The new book', body: Book } },
  problems: ['malformed', 'unsupported', 'invalid'],
})
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' }, problems }).add(
  addBook,
)

function reject(error: OperationInputError): Response {
  const { code, message: detail } = error
  if (code === 'malformed') return problems.malformed({ detail })
  if (code === 'unsupported-media-type') return problems.unsupported({ detail })
  return problems.invalid({ extensions: { errors: issuesFrom(error) } })
}

const router = createRouter()
router.map(routes.addBook, async ({ request }) => {
  const parsed = await addBook.parse(request)
  if (isFailure(parsed)) return reject(parsed.error)
  return Response.json({ id: crypto.randomUUID(), ...parsed.data.body }, { status: 201 })
})
router.get(
  '/openapi.json',
  openapiHandler(() => builder.build()),
)

async function send(body: string, type = 'application/json'): Promise<Response> {
  const headers = { 'Content-Type': type }
  return await router.fetch('http://localhost/books', { method: 'POST', headers, body })
}
const added = await send('{"title":"Emma"}')
added.status //=> 201
const rejected = [await send('{"title":""}'), await send('{'), await send('Emma', 'text/plain')]
rejected.map((response) => response.status) //=> [422, 400, 415]
const { errors } = await (await send('{"title":7}')).json()
errors[0].pointer //=> '/title'
const document = await router.fetch('http://localhost/openapi.json?format=yaml')
document.headers.get('Content-Type') //=> 'application/yaml'
