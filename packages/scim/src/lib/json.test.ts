import { expect, it } from 'vitest'
import { isAssigned, isJsonObject, own, unlessEmpty } from './json.ts'

it.each<[unknown, boolean]>([
  [undefined, false],
  [null, false],
  [[], false],
  [[null], true],
  [{}, true],
  ['', true],
  [0, true],
  [false, true],
])('isAssigned(%j) is %s (RFC 7643 §2.5)', (value, expected) => {
  expect(isAssigned(value)).toBe(expected)
})

it('unlessEmpty returns an object or list with members, and undefined otherwise', () => {
  const [members, list] = [{ a: undefined }, [1]]
  expect(unlessEmpty(members)).toBe(members)
  expect(unlessEmpty(list)).toBe(list)
  expect(unlessEmpty({})).toBeUndefined()
  expect(unlessEmpty([])).toBeUndefined()
})

it.each<[unknown, boolean]>([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [[{}], false],
  [null, false],
  [undefined, false],
  ['', false],
  [1, false],
])('isJsonObject(%j) is %s', (value, expected) => {
  expect(isJsonObject(value)).toBe(expected)
})

it('own reads only own members', () => {
  expect(own({ a: 1 }, 'a')).toBe(1)
  expect(own({}, 'constructor')).toBeUndefined()
  expect(own(JSON.parse('{"__proto__":1}'), '__proto__')).toBe(1)
  expect(own(Object.create({ a: 1 }), 'a')).toBeUndefined()
})
