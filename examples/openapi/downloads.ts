/** Upload and download of files, pages with `Link`, and the headers of CORS by `middleware`. */
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

/** The site whose pages may call the API. */
const ORIGIN = 'https://shop.example'
const covers = new Map<string, File>()
const pages = [['Emma'], ['Ulysses']]
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' }, defaults: {} })
const api = implement(builder.add(uploadCover, readCover, listBooks), {
  middleware: async (_, next) => {
    const response = await next()
    response.headers.set('Access-Control-Allow-Origin', ORIGIN)
    return response
  },
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

/** Answers the preflight of a browser, too: OPTIONS does not belong to an operation, so `middleware` does not see it. */
async function fetch(request: Request): Promise<Response> {
  const response = await api.fetch(request)
  if (request.method !== 'OPTIONS') return response
  response.headers.set('Access-Control-Allow-Origin', ORIGIN)
  response.headers.set('Access-Control-Allow-Methods', response.headers.get('Allow') ?? '')
  response.headers.set('Access-Control-Allow-Headers', 'Content-Type')
  return response
}

const url = 'https://books.example/books'
const headers = { 'Content-Type': 'image/png' }
await fetch(new Request(`${url}/b1/cover`, { method: 'PUT', body: 'png', headers }))
const cover = await fetch(new Request(`${url}/b1/cover`))
cover.headers.get('Content-Type') //=> 'image/png'
await cover.text() //=> 'png'
const page = await fetch(new Request(url))
page.headers.get('Link') //=> '</books?page=2>; rel="next"'
page.headers.get('Access-Control-Allow-Origin') //=> 'https://shop.example'
const preflight = await fetch(new Request(`${url}/b1/cover`, { method: 'OPTIONS' }))
preflight.headers.get('Access-Control-Allow-Methods') //=> 'PUT, GET, HEAD, OPTIONS'
