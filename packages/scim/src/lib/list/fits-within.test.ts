import { expect, it } from 'vitest'
import { countWithin } from './fits-within.ts'

it.each([
  [[], 10, 1, 0],
  [[4, 6], 10, 1, 2],
  [[4, 6, 1], 10, 1, 2],
  [[4, 7], 10, 1, 1],
  [[11, 1], 10, 1, 1],
  [[10, 0, 0], 10, 1, 3],
  [[11, 0], 10, 2, 2],
  [[11, 0, 0], 10, 2, 2],
  [[11], 10, 2, 1],
  [[0], -1, 0, 0],
])('among the sizes %j, within the limit %i and at least %i, %i fit', (...row) => {
  const [sizes, limit, least, expected] = row
  expect(countWithin(sizes, limit, least)).toBe(expected)
})
