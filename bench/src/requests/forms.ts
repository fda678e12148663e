import { defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { z } from 'zod'
import { compare } from '../compare.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

const form = z.object({
  title: z.string().min(1),
  author: z.string(),
  isbn: z.string().length(13),
  pages: z.coerce.number().int().min(1),
  price: z.coerce.number(),
  language: z.enum(['en', 'de', 'fr']),
  tag: z.array(z.string()),
  notes: z.string().max(1000),
})

const fields: readonly (readonly [name: string, value: string])[] = [
  ['title', 'A book'],
  ['author', 'José Jensen'],
  ['isbn', '9780000000002'],
  ['pages', '320'],
  ['price', '12.5'],
  ['language', 'en'],
  ['tag', 'new'],
  ['tag', 'used'],
  ['notes', 'Some words about the book that are not very long.'],
]

const operation = defineOperation('addBook', { method: 'POST', pattern: '/books' } as const, {
  summary: 'Add a book',
  body: { [FORM]: form, [MULTIPART]: form },
  responses: { 204: { description: 'Added' } },
})

/** The same form of nine values in both media types of forms. */
export async function compareForms(): Promise<void> {
  const urlencoded = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
  await compareForm(
    'Parse a request: an urlencoded form of nine values',
    () => requestOf(FORM, urlencoded),
    async (one) => read(new URLSearchParams(await one.text())),
    'the floor: request.text(), new URLSearchParams and the schema',
  )
  const multipart = [...fields.map(partOf), '--limit--\r\n'].join('')
  await compareForm(
    'Parse a request: a multipart form of nine values',
    () => requestOf(`${MULTIPART}; boundary=limit`, multipart),
    async (one) => read(await one.formData()),
    'the floor: request.formData() and the schema',
  )
}

async function compareForm(
  title: string,
  prepare: () => Request,
  floor: (one: Request) => Promise<unknown>,
  against: string,
): Promise<void> {
  await compare(
    title,
    [
      {
        name: '@plumbline/openapi',
        prepare,
        run: (one: Request) => operation.parse(one),
        answer: (parsed: Awaited<ReturnType<typeof operation.parse>>) => unwrap(parsed).body,
      },
      { name: against, prepare, run: floor },
    ],
    { budgets: [{ against, atMost: 1.15 }] },
  )
}

function requestOf(type: string, body: string): Request {
  return new Request('http://localhost/books', {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  })
}

function partOf([name, value]: readonly [name: string, value: string]): string {
  return `--limit\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}

function read(sent: URLSearchParams | FormData): unknown {
  return form.parse({
    title: sent.get('title'),
    author: sent.get('author'),
    isbn: sent.get('isbn'),
    pages: sent.get('pages'),
    price: sent.get('price'),
    language: sent.get('language'),
    tag: sent.getAll('tag'),
    notes: sent.get('notes'),
  })
}
