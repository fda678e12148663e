import { expect, it } from 'vitest'
import { mismatches } from './match.ts'

it.each<[what: string, actual: unknown, expected: unknown, differences: readonly string[]]>([
  ['a value that is equal', 'a', 'a', []],
  ['another value', 'a', 'b', ['the body is "a", not "b"']],
  ['a missing value', undefined, 'b', ['the body is missing, not "b"']],
  ['further members', { a: 1, b: 2 }, { a: 1 }, []],
  ['another member', { a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 } }, ['/b/c is 2, not 3']],
  ['each different member', { a: 1 }, { a: 2, b: 3 }, ['/a is 1, not 2', '/b is missing, not 3']],
  ['an inherited member', {}, { toString: 1 }, ['/toString is missing, not 1']],
  ['a value for an object', { a: 1 }, { a: { b: 1 } }, ['/a is 1, not {"b":1}']],
  ['a list for an object', { a: [] }, { a: {} }, ['/a is [], not {}']],
  ['an absent member', {}, { a: null }, []],
  ['a member that is null', { a: null }, { a: null }, []],
  ['an empty list for no value', { a: [] }, { a: null }, []],
  ['a value that must be absent', { a: 0 }, { a: null }, ['/a must be absent, but is 0']],
  ['a list that must be absent', { a: [1] }, { a: null }, ['/a must be absent, but is [1]']],
  ['a list in another order', { a: [1, 2] }, { a: [2, 1] }, []],
  ['elements with further members', [{ v: 1, w: 2 }], [{ v: 1 }], []],
  ['a shorter list', { a: [1] }, { a: [1, 2] }, ['/a is [1], not [1,2]']],
  ['a longer list', { a: [1, 2] }, { a: [1] }, ['/a is [1,2], not [1]']],
  ['a list with another value', { a: [1, 2] }, { a: [1, 3] }, ['/a is [1,2], not [1,3]']],
  ['a repeated value', { a: [1, 2] }, { a: [1, 1] }, ['/a is [1,2], not [1,1]']],
  ['an object for a list', { a: { length: 0 } }, { a: [] }, ['/a is {"length":0}, not []']],
  ['a string for a list', { a: 'x' }, { a: ['x'] }, ['/a is "x", not ["x"]']],
  ['no value for a list', {}, { a: [1] }, ['/a is missing, not [1]']],
])('%s: %j against %j differs in %j', (_, actual, expected, differences) => {
  expect(mismatches(actual, expected)).toStrictEqual(differences)
})
