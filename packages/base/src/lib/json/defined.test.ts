import { expect, it } from 'vitest'
import { defined } from './defined.ts'

it('defined omits undefined members and nothing else', () => {
  const members = { a: undefined, b: null, c: false, d: '', e: [] }
  expect(Object.entries(defined(members))).toStrictEqual(Object.entries(members).slice(1))
})
