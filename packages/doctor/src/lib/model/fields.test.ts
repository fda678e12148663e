import { describe, expect, it } from 'vitest'
import { type Field, valuesOf } from './fields.ts'
import type { Attribute } from './types.ts'

const field = (attribute: Attribute, parent: Attribute | null = null): Field => ({
  path: parent === null ? attribute.name : `${parent.name}.${attribute.name}`,
  container: null,
  parent,
  attribute,
})
const string: Attribute = { name: 'a', type: 'string' }
const list: Attribute = {
  name: 'emails',
  type: 'complex',
  multiValued: true,
  subAttributes: [{ name: 'value', type: 'string' }],
}
const value: Attribute = { name: 'value', type: 'string' }

describe('valuesOf: RFC 7643 §2.4', () => {
  it.each<[string, Field, object, readonly unknown[]]>([
    ['a single value', field(string), { a: 'x' }, ['x']],
    ['a list', field(string), { a: ['x', 'y'] }, ['x', 'y']],
    ['nothing', field(string), {}, []],
    ['null', field(string), { a: null }, []],
    ['a list with null', field(string), { a: [null, 'x'] }, ['x']],
    ['a part', field(value, list), { emails: { value: 'x' } }, ['x']],
    [
      'a part in a list',
      field(value, list),
      { emails: [{ value: 'x' }, {}, { value: 'y' }] },
      ['x', 'y'],
    ],
    ['a part in a string', field(value, list), { emails: ['x'] }, []],
    ['a part with a list', field(value, list), { emails: { value: ['x', 'y'] } }, ['x', 'y']],
  ])('valuesOf reads %s', (_, one, resource, values) => {
    expect(valuesOf({ ...resource }, one)).toEqual(values)
  })
})
