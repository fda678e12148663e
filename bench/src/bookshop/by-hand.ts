/** The `PUT` of a book written by hand, with the same schema: on `node:http` itself, and on the adapter of the bookshops. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Contender, listen, type Started, startFetch } from './contenders.ts'

const NewBook = z.object({ title: z.string().min(1), stock: z.int().min(0) })
type Book = z.infer<typeof NewBook>

/** The programs that are only compared over HTTP. */
export const BY_HAND: readonly Pick<Contender, 'name' | 'start'>[] = [
  {
    name: 'by hand on `node:http`',
    start: async () => ({ ...fetched(), listen: () => listen(createServer(answerOnNode)) }),
  },
  { name: 'by hand on `@hono/node-server`', start: async () => fetched() },
  {
    name: '@plumbline/openapi/server on `@hono/node-server`',
    start: async () => {
      const { bookshop } = await import('../../../examples/openapi/bookshop.ts')
      return startFetch(bookshop.fetch, null)
    },
  },
]

const books = new Map<string, Book>()

interface Asked {
  readonly method: string
  readonly path: string
  readonly authorization: string | null
  readonly type: string | null
}

interface Answer {
  readonly status: number
  readonly text: string
}

function answer({ method, path, authorization, type }: Asked, text: string): Answer {
  const [, id = ''] = /^\/books(?:\/([^/]+))?$/.exec(path) ?? []
  if (authorization !== 'Bearer secret') return failed(401)
  if (type !== 'application/json') return failed(415)
  const book = NewBook.safeParse(JSON.parse(text))
  if (!book.success) return failed(400)
  if (method === 'POST') return save(201, crypto.randomUUID(), book.data)
  return books.has(id) ? save(200, id, book.data) : failed(404)
}

function save(status: number, id: string, book: Book): Answer {
  books.set(id, book)
  return { status, text: JSON.stringify({ ...book, id }) }
}

function failed(status: number): Answer {
  return { status, text: JSON.stringify({ status }) }
}

function fetched(): Started {
  return startFetch(async (request) => {
    const { method, url, headers } = request
    const [authorization, type] = [headers.get('Authorization'), headers.get('Content-Type')]
    const text = await request.text()
    const { pathname: path } = new URL(url)
    const found = answer({ method, path, authorization, type }, text)
    const sent = { 'Content-Type': 'application/json' }
    return new Response(found.text, { status: found.status, headers: sent })
  }, null)
}

function answerOnNode(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method = '', url: path = '', headers } = request
    const { authorization = null, 'content-type': type = null } = headers
    const found = answer({ method, path, authorization, type }, Buffer.concat(chunks).toString())
    response.writeHead(found.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(found.text),
    })
    response.end(found.text)
  })
}
