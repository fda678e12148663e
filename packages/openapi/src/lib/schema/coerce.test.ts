import type { JsonObject } from '@plumbline/base'
import { describe, expect, it } from 'vitest'
import { coerceObject, coerceScalar, coerceValue, groupByName, parseJsonFor } from './coerce.ts'
import { shapeOf } from './shape/shape.ts'

const string = { type: 'string' }
const number = { type: 'number' }
const boolean = { type: 'boolean' }
const file = { contentMediaType: 'image/png' }
const listOf = (items: JsonObject) => ({ type: 'array', items })
const blob = new File(['a'], 'a.png')

describe('a string is coerced to the schema type', () => {
  it.each<readonly [text: string, schema: JsonObject, value: unknown]>([
    ['5', number, 5],
    ['-0.5', number, -0.5],
    ['1e2', number, 100],
    ['1E+2', number, 100],
    ['1e-2', number, 0.01],
    ['120.25e12', number, 120_250_000_000_000],
    ['10', { type: 'integer' }, 10],
    ['true', boolean, true],
    ['false', boolean, false],
    ['5', { type: ['number', 'boolean'] }, 5],
    ['true', { type: ['number', 'boolean'] }, true],
    ['5', { anyOf: [{ const: 'a' }, number] }, 5],
    ['5', { type: ['string', 'number'], maxLength: 0 }, 5],
  ])('%j with %j becomes %j', (text, schema, value) => {
    expect(coerceScalar(text, shapeOf(schema, {}))).toBe(value)
  })

  it.each<readonly [text: string, schema: JsonObject]>([
    ['5', string],
    ['true', string],
    ['5', { type: ['string', 'number'] }],
    ['5', {}],
    ['5', { anyOf: [{ const: '5' }, { const: '6' }, number] }],
    ['6', { anyOf: [{ const: '5' }, { const: '6' }, number] }],
    ['5', boolean],
    ['true', number],
    ['null', { type: 'null' }],
    // RFC 8259 §6
    ...['', ' 5', '5 ', '05', '.5', '5.', '+5', '0x5', '1_000', '1e', 'NaN', 'Infinity'].map(
      (text) => [text, number] as const,
    ),
    // A double does not have a value for it.
    ['1e400', number],
    ['TRUE', boolean],
    ['yes', boolean],
    ['1', boolean],
    ['', boolean],
  ])('%j with %j stays a string', (text, schema) => {
    expect(coerceScalar(text, shapeOf(schema, {}))).toBe(text)
  })

  it.each([5, true, null, blob])('%s, which is not a string, stays the same', (value) => {
    expect(coerceScalar(value, shapeOf({ type: ['number', 'boolean'] }, {}))).toBe(value)
  })

  it('a string is left unchanged if the schema transforms it', () => {
    const shape = { ...shapeOf(listOf(number), {}), raw: true }
    expect(coerceScalar('5', { ...shapeOf(number, {}), raw: true })).toBe('5')
    expect(coerceValue('5', shape)).toBe('5')
    expect(coerceValue(['5'], shape)).toEqual(['5'])
  })
})

describe('a value is coerced to a list', () => {
  const tuple = { type: 'array', prefixItems: [string, number], items: boolean }
  it.each<readonly [sent: unknown, schema: JsonObject, value: unknown]>([
    ['5', listOf(number), [5]],
    ['5', listOf(string), ['5']],
    [['5', '6'], listOf(number), [5, 6]],
    [['5', '6', 'true'], tuple, ['5', 6, true]],
    ['5', tuple, ['5']],
    [blob, listOf(file), [blob]],
    // A schema that accepts a single value receives it.
    ['5', { anyOf: [string, listOf(number)] }, '5'],
    ['5', { anyOf: [number, listOf(string)] }, 5],
    ['x', { anyOf: [number, listOf(string)] }, ['x']],
    ['x', { anyOf: [{ const: 'y' }, listOf(string)] }, ['x']],
    ['true', { anyOf: [boolean, listOf(number)] }, true],
    [blob, { anyOf: [file, listOf(file)] }, blob],
    // A schema without a list rejects several values.
    [['5', '6'], number, ['5', '6']],
    ['5', number, 5],
  ])('the value %j with %j becomes %j', (sent, schema, value) => {
    expect(coerceValue(sent, shapeOf(schema, {}))).toEqual(value)
  })
})

describe('an object is coerced key by key', () => {
  const shapes = new Map([['n', shapeOf(number, {})]])
  const values = groupByName([
    ['n', '5'],
    ['m', '6'],
  ])

  it('unnamed keys stay the same, or have the shape for all others', () => {
    const options = { shapes, needsNullPrototype: false }
    expect(coerceObject(values, { ...options, others: null })).toEqual({ n: 5, m: '6' })
    const others = shapeOf(boolean, {})
    const more = groupByName([...values, ['b', 'true']])
    expect(coerceObject(more, { ...options, others })).toEqual({ n: 5, m: '6', b: true })
  })

  it('the object has a prototype unless the schema names an inherited member', () => {
    const options = { shapes, others: null }
    const plain = coerceObject(values, { ...options, needsNullPrototype: false })
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype)
    const bare = coerceObject(values, { ...options, needsNullPrototype: true })
    expect(Object.getPrototypeOf(bare)).toBe(null)
    const [a, b] = [false, true].map((needsNullPrototype) =>
      parseJsonFor({ needsNullPrototype }, '{"a":[{"b":1}]}'),
    )
    expect(a).toEqual(b)
    expect(Object.getPrototypeOf(a)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(b)).toBe(null)
  })

  it('__proto__ is a key like any other', () => {
    const options = { shapes, others: null, needsNullPrototype: false }
    const object = coerceObject(groupByName([['__proto__', 'a']]), options)
    expect(Object.entries(object)).toEqual([['__proto__', 'a']])
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
  })
})

it('several values with one name become a list in the order sent', () => {
  const values = groupByName([
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
    ['a', '4'],
  ])
  expect([...values]).toEqual([
    ['a', ['1', '3', '4']],
    ['b', '2'],
  ])
})

it('text that is not JSON is a SyntaxError', () => {
  expect(() => parseJsonFor({ needsNullPrototype: false }, '{')).toThrow(SyntaxError)
})
