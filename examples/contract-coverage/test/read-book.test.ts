import { expect, it } from 'vitest'
import { send } from './send.ts'

it('readBook reads a book', async () => {
  const response = await send('/books/b1')
  expect(await response.json()).toEqual({ id: 'b1', title: 'Emma' })
})

it('readBook answers 404 for an unknown book', async () => {
  const response = await send('/books/b9')
  expect(response.status).toBe(404)
})
