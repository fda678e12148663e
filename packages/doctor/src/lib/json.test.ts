import { expect, it } from 'vitest'
import { isSameJson, memberAt, objectsOf, parseJson, pathText, stringsOf } from './json.ts'

it.each<[left: unknown, right: unknown, isSame: boolean]>([
  [1, 1, true],
  [1, '1', false],
  [null, {}, false],
  [{}, null, false],
  [[], {}, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: undefined }, { b: undefined }, false],
  [{ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, true],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, false],
])('%j and %j are the same JSON: %s', (left, right, isSame) => {
  expect(isSameJson(left, right)).toBe(isSame)
})

const user = {
  name: { givenName: 'Ada' },
  emails: [{ value: 'a' }],
  roles: Array.from({ length: 11 }, (_, at) => `r${at}`),
  'urn:x:2.0': { room: 7 },
}

it.each([
  ['name.givenName', 'Ada'],
  ['emails.0.value', 'a'],
  ['emails.1.value', undefined],
  ['emails.length', undefined],
  ['emails.0x0', undefined],
  ['emails.+0', undefined],
  ['roles.10', 'r10'],
  ['name.toString', undefined],
  ['name.givenName.length', undefined],
  [['urn:x:2.0', 'room'], 7],
])("a user's member at %j is %j", (path, member) => {
  expect(memberAt(user, path)).toBe(member)
})

it('a path is shown with dots', () => {
  expect(pathText('name.givenName')).toBe('name.givenName')
  expect(pathText(['urn:x:2.0', 'room'])).toBe('urn:x:2.0.room')
})

it("objectsOf and stringsOf return a list's objects and strings", () => {
  expect(objectsOf([{}, null, [], 'a', { a: 1 }])).toStrictEqual([{}, { a: 1 }])
  expect(stringsOf([{}, null, 'a', 5])).toStrictEqual(['a'])
  expect([objectsOf({ a: {} }), stringsOf('a')]).toStrictEqual([[], []])
})

it('text that is not JSON is undefined', () => {
  expect(parseJson('{"a":1}')).toStrictEqual({ a: 1 })
  expect(parseJson('{')).toBeUndefined()
})
