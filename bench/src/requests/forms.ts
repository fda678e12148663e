import { defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { z } from 'zod'
import { type Contender, compare } from '../compare.ts'

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

/** Compares the same nine-value form in both form media types. */
export async function compareForms(): Promise<void> {
  const urlencoded = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
  await compareForm(
    'Parse a request: an urlencoded form of nine values',
    () => requestOf(FORM, urlencoded),
    async (one) => read(new URLSearchParams(await one.text())),
    'the floor: request.text(), new URLSearchParams and the schema',
    [{ name: 'the steps that any correct parser takes', run: least }],
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
  others: readonly Pick<Contender, 'name' | 'run'>[] = [],
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
      ...others.map((other) => ({ ...other, prepare })),
    ],
    { budgets: [{ against, atMost: 1.15 }], rounds: 31 },
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

/**
 * The floor, in linear time for any body. Rejects a wrong media type or a body read before, and reads each name's
 * values as the schema requires: URLSearchParams returns only the first.
 */
async function least(one: Request): Promise<unknown> {
  if (one.bodyUsed || one.body?.locked) throw new TypeError('the body was read before')
  if (one.headers.get('Content-Type') !== FORM) throw new TypeError('not a form')
  const sent = new Map<string, string | string[]>()
  const text = (await one.text()).replace(/\+/g, ' ')
  for (let from = 0; from < text.length; ) {
    const end = (text.indexOf('&', from) + 1 || text.length + 1) - 1
    const pair = text.slice(from, end)
    const equals = pair.indexOf('=')
    const name = decoded(pair.slice(0, equals))
    const value = decoded(pair.slice(equals + 1))
    const known = sent.get(name)
    if (known === undefined) sent.set(name, value)
    else if (Array.isArray(known)) known.push(value)
    else sent.set(name, [known, value])
    from = end + 1
  }
  const tag = sent.get('tag')
  return form.parse({
    title: sent.get('title'),
    author: sent.get('author'),
    isbn: sent.get('isbn'),
    pages: sent.get('pages'),
    price: sent.get('price'),
    language: sent.get('language'),
    tag: typeof tag === 'string' ? [tag] : tag,
    notes: sent.get('notes'),
  })
}

function decoded(part: string): string {
  return part.includes('%') ? decodeURIComponent(part) : part
}
