import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memberReader } from './member.ts'

it.each<[string, string, object, unknown]>([
  ["the definition's spelling before any other", 'title', { Title: 1, title: 2 }, 2],
  ['another letter case', 'nickName', { id: 0, NICKNAME: 1 }, 1],
  ['a letter outside ASCII that folds to k', 'kind', { '\u212Aind': 1 }, 1],
  ['a name that starts with a sign', '$ref', { $REF: 1 }, 1],
  ['signs that differ in bit 32 as different names', '@x', { '`x': 1 }, undefined],
  ['a name with the same length and first letter as different', 'title', { tithe: 1 }, undefined],
  ['an inherited member as missing', 'title', Object.create({ Title: 1 }), undefined],
])('a member reader reads %s', (_, name, value, expected) => {
  expect(memberReader(name)(Object(value))).toBe(expected)
})

it('a member reader finds the same member as folding every key', () => {
  const letters = fc.constantFrom(...'kKiIaAzZ@`[{$0', '\u212A', '\u0130', 'ä', 'Ä')
  const name = fc.string({ unit: letters, maxLength: 3 })
  fc.assert(
    fc.property(name, fc.uniqueArray(name), (wanted, keys) => {
      const value = Object.fromEntries(keys.map((key) => [key, `value of ${key}`]))
      const key = keys.includes(wanted)
        ? wanted
        : keys.find(
            (one) => one.length === wanted.length && one.toLowerCase() === wanted.toLowerCase(),
          )
      expect(memberReader(wanted)(value)).toBe(key === undefined ? undefined : value[key])
    }),
    { numRuns: 1_000 },
  )
})
