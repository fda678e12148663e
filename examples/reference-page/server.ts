import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { createRequestListener } from '@plumbline/openapi/node'
import { bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { z } from 'zod'

const Book = z.object({ title: z.string().min(1) }).meta({ id: 'Book' })
const info = { title: 'Books', version: '1.0.0', description: 'An API of **books**.' }
const security = { securitySchemes: { token: bearer() }, security: [{ token: [] }] } as const
const builder = createDocument({ info, ...security, defaults: {} }).add(
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    security: [],
    responses: { 200: { description: 'The book', body: Book } },
  }),
  defineOperation('saveBook', 'PUT /books/:id', {
    summary: 'Save a book',
    body: Book,
    responses: { 200: { description: 'The book', body: Book } },
  }),
)
const readFile = (name: string) =>
  readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)))
export const script = readFile('swagger-ui-bundle.js')
export const style = readFile('swagger-ui.css')

export const api = implement(builder, {
  docs: { path: '/docs', script, style },
  security: { token: ({ token }) => (token === 'secret' ? { name: 'owner' } : null) },
  handlers: {
    readBook: ({ params, reply }) => reply(200, { title: `Book ${params.id}` }),
    saveBook: ({ body, reply }) => reply(200, body),
  },
})
export const server = createServer(createRequestListener(api))
