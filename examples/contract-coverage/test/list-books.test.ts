import { expect, it } from 'vitest'
import { send } from './send.ts'

it('listBooks lists the books whose title contains a string', async () => {
  const headers = { 'X-Request-Id': 'r1' }
  const response = await send('/books?title=Em', { headers })
  expect(await response.json()).toEqual([{ id: 'b1', title: 'Emma' }])
})
