import { expect, test } from '@jest/globals'
import { send } from '../recorder.js'

test('lists as many books as requested', async () => {
  const response = await send('/books?limit=1')
  expect(await response.json()).toEqual([{ title: 'Emma' }])
})

test('rejects a limit that is not a number', async () => {
  expect((await send('/books?limit=many')).status).toBe(422)
})
