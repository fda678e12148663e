/** A multipart form with a number, lists, JSON objects and a file. */
import { defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { z } from 'zod'

const Author = z.object({ name: z.string(), born: z.int().optional() })
const addBook = defineOperation('addBook', 'POST /books', {
  summary: 'Add a book with its cover',
  body: {
    'multipart/form-data': z.object({
      pages: z.int(),
      tags: z.array(z.string()),
      authors: z.array(Author),
      cover: z.file().mime('image/png'),
    }),
  },
  responses: { 204: { description: 'Added' } },
})

const form = new FormData()
form.append('pages', '452')
form.append('tags', 'new')
form.append('authors', '{"name":"Anne","born":1820}')
form.append('authors', new Blob(['{"name":"Emily"}'], { type: 'application/json' }))
form.append('cover', new File(['…'], 'cover.png', { type: 'image/png' }))
const request = new Request('http://localhost/books', { method: 'POST', body: form })
const book = unwrap(await addBook.parse(request)).body
book.pages //=> 452
book.tags //=> ['new']
book.authors //=> [{ name: 'Anne', born: 1820 }, { name: 'Emily' }]
book.cover.name //=> 'cover.png'
