import { describe, expect, test } from '@jest/globals'
import { send } from '../recorder.js'

describe('a book', () => {
  test('has a number as its title', async () => {
    const response = await send('/books/b1', async () => Response.json({ title: 7 }))
    expect(response.status).toBe(200)
  })
})
