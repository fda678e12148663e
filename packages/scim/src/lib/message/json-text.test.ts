import { expect, it } from 'vitest'
import { withMember } from './json-text.ts'

it.each<[string, object, object]>([
  ['an empty object', {}, { 'a"b': [1] }],
  ['an object with members', { b: '}' }, { b: '}', 'a"b': [1] }],
])('adds a member to the JSON text of %s', (_, object, expected) => {
  expect(JSON.parse(withMember(JSON.stringify(object), 'a"b', '[1]'))).toStrictEqual(expected)
})
