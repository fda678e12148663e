import { expect, it } from 'vitest'
import { correctArkType } from './arktype.ts'

const nothing = { not: {} }
const text = { type: 'string' }
const number = { type: 'number' }

it.each<[what: string, json: object, simplified: object]>([
  ['a schema without alternatives', { ...text, minLength: 1 }, { ...text, minLength: 1 }],
  ['alternatives that may match', { anyOf: [text, number] }, { anyOf: [text, number] }],
  ['one that does not match', { anyOf: [text, nothing, number] }, { anyOf: [text, number] }],
  ['all but one', { anyOf: [text, nothing], title: 'A' }, { ...text, title: 'A' }],
  ['all', { anyOf: [nothing, nothing] }, { anyOf: [nothing, nothing] }],
  ['a boolean that is left', { anyOf: [true, nothing] }, { anyOf: [true] }],
  ['the negation of a schema', { anyOf: [text, { not: text }] }, { anyOf: [text, { not: text }] }],
  ['not: true', { anyOf: [text, { not: true }] }, { anyOf: [text, { not: true }] }],
  ['a property', { properties: { a: { anyOf: [text, nothing] } } }, { properties: { a: text } }],
  ['a definition', { $defs: { A: { anyOf: [nothing, text] } } }, { $defs: { A: text } }],
  ['a definition that is a boolean', { $defs: { A: true } }, { $defs: { A: true } }],
])('alternatives are removed if they match no value: %s', (_, json, simplified) => {
  expect(correctArkType({ ...json })).toStrictEqual(simplified)
})

it('a schema without values does not become an empty enum (JSON Schema Validation §6.1.2)', () => {
  expect(correctArkType({ properties: { a: { enum: [] } } })).toStrictEqual({
    properties: { a: nothing },
  })
})
