import { describe, expect, test } from '@jest/globals'
import { send } from '../recorder.js'

describe('a book', () => {
  test('is read', async () => {
    expect((await send('/books/b1')).status).toBe(200)
  })

  test('is not found', async () => {
    expect((await send('/books/b9')).status).toBe(404)
  })
})
