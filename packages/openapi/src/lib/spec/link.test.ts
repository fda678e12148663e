import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import type { Link } from '../openapi.ts'
import { defineOperation } from '../operation.ts'
import { defineLink } from './link.ts'

const Book = z.object({ id: z.string(), series: z.object({ ids: z.array(z.string()) }) })

/** A document whose response `201` of `POST /shelves/:shelf/books` has a link. */
function build(link: Link) {
  const addBook = defineOperation('addBook', 'POST /shelves/:shelf/books', {
    summary: 'Add a book',
    body: z.object({ title: z.string() }),
    query: z.object({ notify: z.boolean().optional() }),
    responses: {
      201: {
        description: 'Added',
        body: Book,
        headers: { 'X-Id': { schema: z.string() } },
        links: { next: defineLink(link) },
      },
      202: { description: 'Later', body: z.object({ job: z.string() }) },
    },
  })
  const readBook = defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    headers: z.object({ 'x-trace': z.string().optional() }),
    responses: { 200: { description: 'The book', body: Book } },
  })
  const renameBook = defineOperation('renameBook', 'PUT /books/:id', {
    summary: 'Rename a book',
    body: z.object({ title: z.string() }),
    responses: { 204: { description: 'Renamed' } },
  })
  const info = { title: 'Books', version: '1.0.0' }
  return createDocument({ info }).add(addBook, readBook, renameBook).build()
}

// OpenAPI 3.1.1 §4.8.20
describe('a response link', () => {
  it('the link is written to the document as declared', () => {
    const link = { operationId: 'readBook', parameters: { id: '$response.body#/id' } }
    const { paths } = unwrap(build(link))
    const { responses } = Object(paths?.['/shelves/{shelf}/books']?.post)
    expect(responses[201].links).toEqual({ next: link })
    expect(responses[201].links.next).not.toBe(link)
  })

  it.each<[string, Link]>([
    ['a name with its location', { operationId: 'readBook', parameters: { 'path.id': 'b1' } }],
    ['a header', { operationId: 'readBook', parameters: { 'header.x-trace': '$url' } }],
    ['a JSON Pointer', { operationRef: '#/paths/~1books~1{id}/get' }],
    ['an encoded JSON Pointer', { operationRef: '#/paths/~1books~1%7Bid%7D/put' }],
    ['another document', { operationRef: 'https://example.com/api.json#/paths/~1a/get' }],
    ['a body', { operationId: 'renameBook', requestBody: '$request.body' }],
    ['a body that is a value', { operationId: 'renameBook', requestBody: { title: 'a' } }],
    ['an element', { operationId: 'readBook', parameters: { id: '$response.body#/series/ids/0' } }],
    ['a response header', { operationId: 'readBook', parameters: { id: '$response.header.x-id' } }],
    ['the path', { operationId: 'readBook', parameters: { id: '$request.path.shelf' } }],
    ['the query', { operationId: 'readBook', parameters: { id: '$request.query.notify' } }],
    ['a part in braces', { operationId: 'readBook', parameters: { id: 'b-{$response.body#/id}' } }],
    ['other braces', { operationId: 'readBook', parameters: { id: '{id}' } }],
    ['a number', { operationId: 'readBook', parameters: { id: 7 } }],
  ])('the link may have %s', (_, link) => {
    expect(build(link)).toMatchObject({ status: 'success' })
  })

  it.each<[reason: string, Link]>([
    ['it must have either operationId or operationRef', {}],
    [
      'it must have either operationId or operationRef',
      { operationId: 'readBook', operationRef: '#/paths/~1books~1{id}/get' },
    ],
    ['the document does not have the operation readbook', { operationId: 'readbook' }],
    [
      'the document does not have the operation #/paths/~1books/get',
      { operationRef: '#/paths/~1books/get' },
    ],
    [
      'the document does not have the operation #/paths/toString/call',
      { operationRef: '#/paths/toString/call' },
    ],
    [
      'the operation does not have the parameter bookId',
      { operationId: 'readBook', parameters: { bookId: 'b1' } },
    ],
    [
      'the operation does not have the parameter query.id',
      { operationId: 'readBook', parameters: { 'query.id': 'b1' } },
    ],
    ['the operation does not have a body', { operationId: 'readBook', requestBody: {} }],
    [
      'the expression $response.body#/job points to a value that the body does not have',
      { operationId: 'readBook', parameters: { id: '$response.body#/job' } },
    ],
    [
      'the expression $request.path.id names a variable that the route does not have',
      { operationId: 'readBook', parameters: { id: 'a{$request.path.id}' } },
    ],
    [
      'the expression $response.id is not a runtime expression of OpenAPI',
      { operationId: 'renameBook', requestBody: '$response.id' },
    ],
  ])('the link fails the build: %s', (reason, link) => {
    const built = build(link)
    expect(isFailure(built) && built.error.errors).toEqual([
      {
        code: 'invalid-link',
        operationId: 'addBook',
        pointer: '/paths/~1shelves~1{shelf}~1books/post/responses/201/links/next',
        message: `the link is not valid: ${reason}; change the link or the operation`,
      },
    ])
  })
})
