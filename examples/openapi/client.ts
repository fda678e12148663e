/** A typed client of operations, without generated code. */
import { defineOperation } from '@plumbline/openapi'
import { createClient, createManifest } from '@plumbline/openapi/client'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://books.example/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
})
const operations = {
  readBook: defineOperation(
    'readBook',
    { method: 'GET', pattern: '/books/:id' },
    {
      summary: 'Read a book',
      query: z.object({ pages: z.int().optional() }),
      responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
      problems: ['notFound'],
    },
  ),
}

// In place of a server:
async function fetch(url: string): Promise<Response> {
  return url.includes('/b1') ? Response.json({ title: 'Emma' }) : problems.notFound()
}

// On a server or in a test, the client reads the operations themselves.
const client = createClient(operations, { baseUrl: 'https://books.example', fetch, problems })

async function titleOf(id: string): Promise<string> {
  const answer = await client.readBook({ params: { id }, query: { pages: 2 } })
  return answer.status === 200 ? answer.body.title : answer.body.title.toLowerCase()
}
await titleOf('b1') //=> 'Emma'
await titleOf('b2') //=> 'book not found'

// In a browser, it reads a manifest, which a build step writes, and imports only types.
const manifest = JSON.stringify(createManifest(operations, problems))
const inBrowser = createClient<typeof operations, typeof problems>(JSON.parse(manifest), {
  baseUrl: 'https://books.example',
  fetch,
})
const answer = await inBrowser.readBook({ params: { id: 'b2' } })
answer.problem //=> 'notFound'
