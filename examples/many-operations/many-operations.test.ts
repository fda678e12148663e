import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '@plumbline/openapi'
import { createClient } from '@plumbline/openapi/client'
import { createApi } from './api.ts'
import { library } from './document.ts'

const api = createApi({ books: new Map(), authors: new Map() })
const client = createClient(library, {
  baseUrl: 'https://library.example',
  fetch: (url, init) => api.fetch(new Request(url, init)),
})

test('the document has the operations of every topic, by tag', () => {
  const { paths = {} } = unwrap(library.build())
  const tags = Object.values(paths).flatMap(({ get, post, put, delete: gone }) =>
    [get, post, put, gone].flatMap((operation) => operation?.tags ?? []),
  )
  assert.deepEqual([...new Set(tags)], ['books', 'authors'])
  assert.equal(tags.length, 10)
})

test('a handler of one topic reads what another has stored', async () => {
  const unknown = await client.addBook({ body: { title: 'Emma', authorId: 'a1' } })
  assert.equal(unknown.problem, 'unknownAuthor')
  const added = await client.addAuthor({ body: { name: 'Jane Austen' } })
  assert.ok(added.status === 201)
  const authorId = added.body.id
  const book = await client.addBook({ body: { title: 'Emma', authorId } })
  assert.ok(book.status === 201)
  const rejected = await client.deleteAuthor({ params: { id: authorId } })
  assert.equal(rejected.problem, 'hasBooks')
  const listed = await client.listBooks({ query: { limit: 1 } })
  assert.deepEqual(listed.body, [book.body])
})
