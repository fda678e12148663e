import { expect, it } from 'vitest'
import { withoutPlace } from './places.ts'

const work = { type: 'work', value: '1' }
const fax = { type: 'fax', value: '2' }

// RFC 7643 §2.4: a type says what a value is for.
it.each<[string, unknown, readonly string[], readonly number[]]>([
  ['another type', [fax, work], ['work'], [0]],
  ['the second one with a type', [work, { type: 'work', value: '3' }], ['work'], [1]],
  ['a type in another letter case', [{ type: 'WORK' }, work], ['Work'], [1]],
  ['none if each type has a place', [work, fax], ['work', 'fax'], []],
  ['an untyped value, if its place is not clear', [{ value: '1' }, fax], ['work', 'fax'], [0]],
  ['none for an untyped value with one place', [{ value: '1' }], ['work'], []],
  [
    'none for an untyped value with one place in two letter cases',
    [{ value: '1' }],
    ['work', 'Work'],
    [],
  ],
  ['the value after an untyped one that took the place', [{ value: '1' }, work], ['work'], [1]],
  ['a type that is not a string', [{ type: 5 }], ['work'], [0]],
  ['nothing without a list', undefined, ['work'], []],
])('elements without a place are found: %s', (_, elements, types, found) => {
  expect(withoutPlace(elements, types)).toEqual(found)
})
