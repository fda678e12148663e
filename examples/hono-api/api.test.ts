import assert from 'node:assert/strict'
import test from 'node:test'
import { Hono } from 'hono'
import { createApi, serveDocument } from './api.ts'

const app = new Hono()
app.mount('/api', createApi().fetch)
const headers = { 'Content-Type': 'application/json' }

test('the API saves a book and reads it', async () => {
  const body = JSON.stringify({ title: 'Emma', pages: 474 })
  const saved = await app.request('/api/books/emma', { method: 'PUT', headers, body })
  assert.equal(saved.status, 200)
  const read = await app.request('/api/books/emma')
  assert.deepEqual(await read.json(), { title: 'Emma', pages: 474 })
})

test('the API rejects a book without pages, and names the member', async () => {
  const body = JSON.stringify({ title: 'Emma' })
  const rejected = await app.request('/api/books/emma', { method: 'PUT', headers, body })
  assert.equal(rejected.status, 422)
  const { errors } = (await rejected.json()) as { errors: readonly { pointer: string }[] }
  assert.equal(errors[0]?.pointer, '/pages')
})

test('the API serves the document', async () => {
  const answer = await serveDocument(new Request('http://localhost/openapi.json'))
  const { paths } = (await answer.json()) as { paths: object }
  assert.deepEqual(Object.keys(paths), ['/books/{id}'])
})
