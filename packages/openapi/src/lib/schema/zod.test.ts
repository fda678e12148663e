import { expect, it } from 'vitest'
import { isZodName } from './zod.ts'

it.each([
  ['__schema0', false],
  ['__schema12', false],
  ['__schema', true],
  ['__schema1x', true],
  ['x__schema1', true],
  ['Book', true],
])('the key %s in $defs names a schema: %s', (key, isName) => {
  expect(isZodName(key)).toBe(isName)
})
