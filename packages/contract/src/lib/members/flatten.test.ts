import { accepts } from '@plumbline/base'
import { describe, expect, it } from 'vitest'
import { flatten, unionsOf } from './flatten.ts'

const A = { type: 'object', properties: { a: {} }, required: ['a'] }
const B = { type: 'object', properties: { b: {} }, required: ['b'] }

describe('flatten', () => {
  it.each<[string, readonly object[], object | null]>([
    ['enum by value', [{ enum: [1, 2, 10] }, { enum: [10, 21] }], { enum: [10] }],
    ['enum without a common value to nothing', [{ enum: [1, 2] }, { enum: [10, 21] }], null],
    [
      'enum with members in another order',
      [{ enum: [{ a: 1, b: 2 }] }, { enum: [{ b: 2, a: 1 }] }],
      { enum: [{ a: 1, b: 2 }] },
    ],
    ['two equal constants', [{ const: 1 }, { const: 1 }], { const: 1 }],
    ['two constants to nothing', [{ const: 1 }, { const: 2 }], null],
    ['a constant that is not listed to nothing', [{ const: 1 }, { enum: [10] }], null],
    ['uniqueItems', [{ uniqueItems: true }, { uniqueItems: false }], { uniqueItems: true }],
    [
      'prefixItems by place',
      [{ prefixItems: [{ type: 'string' }] }, { prefixItems: [{ minLength: 1 }, { const: 2 }] }],
      { prefixItems: [{ allOf: [{ type: 'string' }, { minLength: 1 }] }, { const: 2 }] },
    ],
    [
      'patternProperties by pattern',
      [{ patternProperties: { x: { minLength: 1 } } }, { patternProperties: { x: A, y: B } }],
      { patternProperties: { x: { allOf: [{ minLength: 1 }, A] }, y: B } },
    ],
    ['types without a common one to nothing', [{ type: 'string' }, { type: 'integer' }], null],
  ])('flatten merges %s', (_, allOf, flat) => {
    expect(flatten({ allOf }, {})).toEqual(flat)
  })

  it('flatten merges several unions without losing one', () => {
    const schema = {
      minProperties: 2,
      allOf: [{ anyOf: [A, B] }, { oneOf: [B, A] }, { anyOf: [A] }, { oneOf: [B] }],
    }
    const flat = flatten(schema, {})
    expect(flat && unionsOf(flat)).toEqual({
      rest: { minProperties: 2 },
      unions: [[A, B], [B, A], [A], [B]],
    })
    for (const value of [{ a: 1, b: 2 }, { a: 1, c: 2 }, { b: 1, c: 2 }, { a: 1 }]) {
      expect(accepts(flat, value, {})).toBe(accepts(schema, value, {}))
    }
  })

  it('flatten merges a union once if two parts refer to it', () => {
    const components = { Either: { anyOf: [A, B] } }
    const part = { $ref: '#/components/schemas/Either' }
    expect(flatten({ allOf: [part, part] }, components)).toEqual({ anyOf: [A, B] })
  })
})
