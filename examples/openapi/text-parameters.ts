/** Path, query, header and cookie parameters are coerced to the types of their schemas. */
import { defineOperation } from '@plumbline/openapi'
import { isFailure, unwrap } from '@plumbline/result'
import { z } from 'zod'

const listBooks = defineOperation('listBooks', 'GET /shelves/:shelf/books', {
  summary: 'List the books of a shelf',
  params: z.object({ shelf: z.int() }),
  query: z.object({ tag: z.array(z.string()).default([]), lent: z.boolean().optional() }),
  headers: z.object({ 'x-reader': z.string().optional() }),
  cookies: z.object({ theme: z.enum(['light', 'dark']).default('light') }),
  responses: { 200: { description: 'The books', body: z.array(z.string()) } },
})

const headers = { 'X-Reader': 'babs', Cookie: 'theme=dark' }
const request = new Request('http://localhost/shelves/7/books?tag=new&lent=true', { headers })
const parsed = unwrap(await listBooks.parse(request, { shelf: '7' }))
parsed.params //=> { shelf: 7 }
parsed.query //=> { tag: ['new'], lent: true }
parsed.headers //=> { 'x-reader': 'babs' }
parsed.cookies //=> { theme: 'dark' }

const rejected = await listBooks.parse(request, { shelf: 'seven' })
isFailure(rejected) && rejected.error.location //=> 'params'
