import { expect, it } from 'vitest'
import { defined, isAssigned, isJsonObject, own, unlessEmpty } from './json.ts'

it('defined omits undefined members and nothing else', () => {
  const members = { a: undefined, b: null, c: false, d: '', e: [] }
  expect(Object.entries(defined(members))).toStrictEqual(Object.entries(members).slice(1))
})

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
