import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from './recorder.ts'

test('listBooks lists the books whose title contains a string', async () => {
  const response = await send('/books?title=Em', { headers: { 'X-Request-Id': 'r1' } })
  assert.equal(response.status, 200)
})

test('readBook reads a book', async () => {
  const [found, missing] = [await send('/books/b1'), await send('/books/b9')]
  assert.deepEqual([found.status, missing.status], [200, 404])
})
