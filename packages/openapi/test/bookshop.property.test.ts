import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createConformanceRecorder } from '../src/testing.ts'
import { bookshopDocument, createBookshop } from './bookshop.ts'

const part = fc.oneof(
  fc.constantFrom('books', 'b1', 'b2', 'cover', 'purchases', 'writer', '', '.', '..', '%FF', '%2F'),
  fc.constantFrom('__proto__', 'constructor', '%00', '%E0%A4', '%', '*', '(a)', ':id'),
  fc.string({ maxLength: 5 }),
)
const path = fc.oneof(
  fc.constantFrom('/books', '/books/b1', '/books/b2/cover', '/books/b1/purchases'),
  fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
)
const query = fc.oneof(
  fc.constantFrom(
    '',
    '?',
    '?limit=1',
    '?limit=x',
    '?limit=1&limit=2',
    '?__proto__=1',
    '?access_token=a',
    '?%FF',
  ),
  fc.string({ maxLength: 8 }).map((text) => `?${text}`),
)
const method = fc.constantFrom(
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'QUERY',
  'get',
)
const authorization = fc.oneof(
  { weight: 3, arbitrary: fc.constant('Bearer writer') },
  fc.constantFrom(
    'Bearer writer',
    'Bearer reader',
    'Bearer x',
    'Bearer writer, Bearer x',
    `Basic ${btoa('ann:a:b')}`,
  ),
  fc.constantFrom(
    'Basic',
    'Basic YTpi',
    'Bearer',
    ' Bearer  writer',
    'Digest a',
    'bearer __proto__',
  ),
  fc.stringMatching(/^[ -~]{0,20}$/),
)
const type = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json; charset=x',
  'application/hal+json',
  'text/plain',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'a',
)
const content = fc.oneof(
  fc.constantFrom(
    '{"quantity":1}',
    '{"title":"a","stock":1}',
    '{',
    '',
    'null',
    '[]',
    '{"__proto__":{"title":"a","stock":1}}',
  ),
  fc.constant('a'.repeat(300)),
  fc.json({ maxDepth: 3 }),
  fc.uint8Array({ maxLength: 20 }),
)
const headers = fc.record(
  {
    Authorization: authorization,
    'Content-Type': type,
    'X-Key': fc.constantFrom('k1', 'x', 'k1, k1', ''),
    Accept: fc.constantFrom('text/csv', '*/*', 'a;q=b'),
    'If-None-Match': fc.constantFrom('"1"', '*'),
  },
  { requiredKeys: [] },
)
const sent = fc.record({ method, path, query, headers, content: fc.option(content) })

it('every request is answered as the document says, and the promise does not reject', async () => {
  const server = createBookshop({ bodyLimit: 200, onError: (error) => Promise.reject(error) })
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(sent, async ({ method, path, query, headers, content }) => {
      const hasBody = content !== null && !['GET', 'HEAD', 'get'].includes(method)
      const body = content instanceof Uint8Array ? new Uint8Array(content) : content
      const url = new URL(`http://localhost${path.replaceAll('#', '')}${query}`)
      const request = new Request(url, { method, headers, ...(hasBody ? { body } : {}) })
      const recorder = createConformanceRecorder(bookshopDocument)
      const response = await recorder.middleware({ request }, () => server.fetch(request))
      statuses.add(response.status)
      const kinds = recorder.violations().map(({ kind }) => kind)
      // A request that no operation matches is not in the document.
      const isOther = [404, 405, 204].includes(response.status)
      expect(kinds).toEqual(isOther && kinds.length > 0 ? ['undocumented-operation'] : [])
      expect(response.status).not.toBe(500)
    }),
    { numRuns: 3_000 },
  )
  // The requests reach the operations, and are not all rejected in the same way.
  for (const status of [200, 401, 404, 405, 413, 415, 422]) expect(statuses).toContain(status)
})
