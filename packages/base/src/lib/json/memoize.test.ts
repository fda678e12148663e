import { expect, it, vi } from 'vitest'
import { memoize } from './memoize.ts'

it("memoize builds a key's value once, and again after an error", () => {
  const build = vi.fn((key: { name?: string }) => {
    if (key.name === undefined) throw new TypeError('a name is required')
    return { greeting: `hello ${key.name}` }
  })
  const greetingOf = memoize(build)
  const a = { name: 'a' }
  const b = {}
  expect(greetingOf(a)).toBe(greetingOf(a))
  expect(() => greetingOf(b)).toThrow(TypeError)
  expect(() => greetingOf(b)).toThrow(TypeError)
  expect(build).toHaveBeenCalledTimes(3)
})
