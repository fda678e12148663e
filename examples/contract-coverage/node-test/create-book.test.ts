import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from './recorder.ts'

test('createBook creates a book from JSON and from a form', async () => {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ title: 'Persuasion' })
  const json = await send('/books', { method: 'POST', headers, body })
  const form = await send('/books', { method: 'POST', body: new URLSearchParams({ title: '' }) })
  assert.deepEqual([json.status, form.status], [201, 422])
})
