/** A typed client of a document, without generated code. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { createClient, createManifest } from '@plumbline/openapi/client'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://books.example/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
})
const readBook = defineOperation('readBook', 'GET /books/:id', {
  summary: 'Read a book',
  query: z.object({ pages: z.int().optional() }),
  responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
  problems: ['notFound'],
})
const books = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  problems,
  defaults: {},
}).add(readBook)

// The server, which is called without a network here:
const server = implement(books, {
  handlers: {
    readBook: ({ params, reply, problems }) =>
      params.id === 'b1' ? reply(200, { title: 'Emma' }) : problems.notFound(),
  },
})
const baseUrl = 'https://books.example'
const fetch = (url: string, init: RequestInit) => server.fetch(new Request(url, init))

// On a server or in a test, the client reads the document itself.
const client = createClient(books, { baseUrl, fetch })

const found = await client.readBook({ params: { id: 'b1' }, query: { pages: 2 } })
found.status === 200 && found.body.title //=> 'Emma'
const missing = await client.readBook({ params: { id: 'b2' } })
missing.problem === 'notFound' && missing.body.title //=> 'Book not found'
missing.status === 404 && missing.body.type //=> 'https://books.example/problems/not-found'

// In a browser, it reads a manifest, which a build step writes, and imports only the type of the document.
const manifest = JSON.stringify(createManifest(books))
const inBrowser = createClient<typeof books>(JSON.parse(manifest), { baseUrl, fetch })
const answer = await inBrowser.readBook({ params: { id: 'b2' } })
answer.status //=> 404
