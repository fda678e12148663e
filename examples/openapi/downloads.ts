/** Upload and download of files, and pages with `Link`. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { z } from 'zod'

const uploadCover = defineOperation('uploadCover', 'PUT /books/:id/cover', {
  summary: 'Upload a cover',
  body: { 'image/*': z.file() },
  responses: { 204: { description: 'Stored' } },
})
const readCover = defineOperation('readCover', 'GET /books/:id/cover', {
  summary: 'Download a cover',
  responses: {
    200: { description: 'The cover', body: z.file() },
    404: { description: 'No cover' },
  },
})
const listBooks = defineOperation('listBooks', 'GET /books', {
  summary: 'List the books',
  query: z.object({ page: z.int().min(1).default(1) }),
  responses: {
    200: {
      description: 'A page',
      body: z.array(z.string()),
      headers: { Link: { schema: z.string(), description: 'The next page (RFC 8288)' } },
    },
  },
})

const covers = new Map<string, File>()
const pages = [['Emma'], ['Ulysses']]
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' }, defaults: {} })
const api = implement(builder.add(uploadCover, readCover, listBooks), {
  handlers: {
    uploadCover: ({ params, body, reply }) => {
      covers.set(params.id, body)
      return reply(204)
    },
    readCover: ({ params, reply }) => {
      const cover = covers.get(params.id)
      if (cover === undefined) return reply(404)
      const headers = { 'Content-Disposition': 'attachment; filename="cover"' }
      // A file has its own media type. `contentType` names that of a stream of bytes.
      return reply(200, cover, { headers })
    },
    listBooks: ({ query, reply }) => {
      const next = query.page < pages.length ? `</books?page=${query.page + 1}>; rel="next"` : null
      return reply(200, pages[query.page - 1] ?? [], {
        headers: next === null ? {} : { Link: next },
      })
    },
  },
})

const url = 'https://books.example/books'
const headers = { 'Content-Type': 'image/png' }
await api.fetch(new Request(`${url}/b1/cover`, { method: 'PUT', body: 'png', headers }))
const cover = await api.fetch(new Request(`${url}/b1/cover`))
cover.headers.get('Content-Type') //=> 'image/png'
await cover.text() //=> 'png'
const page = await api.fetch(new Request(url))
page.headers.get('Link') //=> '</books?page=2>; rel="next"'
