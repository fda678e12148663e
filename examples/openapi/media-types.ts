/** One operation reads three media types into one type. */
import { defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { z } from 'zod'

const writeNotes = defineOperation('writeNotes', 'PUT /books/:id/notes', {
  summary: 'Write the notes of a book',
  body: {
    'application/json': z.object({ notes: z.array(z.string()) }),
    'application/x-www-form-urlencoded': z.object({ notes: z.array(z.string()) }),
    'text/plain': z.string().transform((text) => ({ notes: text.split('\n') })),
  },
  responses: { 204: { description: 'Written' } },
})

async function read(type: string, body: string) {
  const headers = { 'Content-Type': type }
  const request = new Request('http://localhost/books/b1/notes', { method: 'PUT', headers, body })
  return unwrap(await writeNotes.parse(request, { id: 'b1' })).body
}
await read('application/json', '{"notes":["fine"]}') //=> { notes: ['fine'] }
await read('application/x-www-form-urlencoded', 'notes=fine') //=> { notes: ['fine'] }
await read('text/plain; charset=utf-8', 'fine\ngood') //=> { notes: ['fine', 'good'] }
