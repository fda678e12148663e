import { describe, expect, it } from 'vitest'
import type { Field } from '../../model/fields.ts'
import type { Attribute } from '../../model/types.ts'
import type { Served } from '../world.ts'
import { comparisons, logicalFilters, valueFilters, valuesOf } from './filters.ts'

const field = (attribute: Attribute, parent: Attribute | null = null): Field => ({
  path: parent === null ? attribute.name : `${parent.name}.${attribute.name}`,
  container: null,
  parent,
  attribute,
})
const string: Attribute = { name: 'a', type: 'string' }
const flag: Attribute = { name: 'on', type: 'boolean' }
const list: Attribute = {
  name: 'emails',
  type: 'complex',
  multiValued: true,
  subAttributes: [{ name: 'value', type: 'string' }],
}
const value: Attribute = { name: 'value', type: 'string' }
// Only the fields of a type are read.
const typeOf = (...fields: readonly Field[]): Served => ({ fields }) as unknown as Served

describe('valuesOf: RFC 7643 §2.4, the values of', () => {
  it.each<[string, Field, object, readonly unknown[]]>([
    ['a single value', field(string), { a: 'x' }, ['x']],
    ['a list', field(string), { a: ['x', 'y'] }, ['x', 'y']],
    ['nothing', field(string), {}, []],
    ['null', field(string), { a: null }, []],
    ['a list with null', field(string), { a: [null, 'x'] }, ['x']],
    ['a part', field(value, list), { emails: { value: 'x' } }, ['x']],
    [
      'a part of a list',
      field(value, list),
      { emails: [{ value: 'x' }, {}, { value: 'y' }] },
      ['x', 'y'],
    ],
    ['a part of a string', field(value, list), { emails: ['x'] }, []],
    ['a part with a list', field(value, list), { emails: { value: ['x', 'y'] } }, ['x', 'y']],
  ])('%s', (_, one, resource, values) => {
    expect(valuesOf({ ...resource }, one)).toEqual(values)
  })
})

describe('comparisons: RFC 7644 §3.4.2.2', () => {
  it('compares with generated values without a resource', () => {
    expect(comparisons(field(flag), [])).toEqual([
      'on pr',
      'on eq null',
      'on eq false',
      'on ne false',
      'on eq true',
    ])
  })

  it('compares equality with the first value, and order with the one in the middle', () => {
    const count: Attribute = { name: 'n', type: 'integer' }
    expect(comparisons(field(count), [{ n: 1 }, { n: 2 }, { n: 3 }])).toEqual([
      'n pr',
      'n eq null',
      'n eq 1',
      'n ne 1',
      'n eq 18',
      'n gt 2',
      'n ge 2',
      'n lt 2',
      'n le 2',
    ])
  })

  it('compares instants in another offset', () => {
    const seen: Attribute = { name: 'seen', type: 'dateTime' }
    expect(comparisons(field(seen), [{ seen: '2026-01-01T02:00:00+02:00' }]).slice(-2)).toEqual([
      'seen eq "2026-01-01T00:00:00.000Z"',
      'seen le "2026-01-01T00:00:00.000Z"',
    ])
  })

  it('compares parts of strings, other letter cases and the characters of patterns', () => {
    expect(comparisons(field(string), [{ a: 'Adam' }]).slice(9)).toEqual([
      'a eq "aDAM"',
      'a ne "aDAM"',
      'a co "aDAM"',
      'a sw "aDAM"',
      'a ew "aDAM"',
      'a sw "Ad"',
      'a ew "am"',
      'a co "da"',
      'a co "Ad%"',
      'a sw "Ad%"',
      'a eq "_dam"',
      'a co "_dam"',
      'a sw "_dam"',
      'a eq "Ádam"',
      'a eq "Adam "',
    ])
  })
})

describe('logicalFilters: RFC 7644 §3.4.2.2', () => {
  it('combines nothing without two attributes that can be compared', () => {
    expect(logicalFilters(typeOf(), [])).toEqual([])
    expect(logicalFilters(typeOf(field(string)), [])).toEqual([])
    expect(logicalFilters(typeOf(field({ name: 'n', type: 'integer' })), [])).toEqual([])
  })

  it('combines strings and booleans by and, or and not', () => {
    expect(logicalFilters(typeOf(field(string), field(flag)), [{ a: 'x', on: true }])).toEqual([
      'a eq "x" and on eq true',
      'a eq "x" or on eq true',
      'not (a eq "x" and on eq true)',
      'not (a eq "x" or on eq true)',
      'not (not (on eq true))',
      '(a eq "x" or not (on eq true)) and (on eq true or not (a eq "x"))',
    ])
    const [first] = logicalFilters(typeOf(field(string), field(flag)), [])
    expect(first).toBe('a eq "none" and on eq false')
  })

  it('combines at most six attributes', () => {
    const fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => field({ ...string, name }))
    const filters = logicalFilters(typeOf(...fields), [])
    expect(filters).toHaveLength(30)
    expect(filters.join()).not.toContain('g eq')
  })
})

describe('valueFilters: RFC 7644 §3.4.2.2', () => {
  it.each<[string, readonly Field[]]>([
    ['a single complex value', [field({ ...list, multiValued: false })]],
    ['a list of strings', [field({ ...string, multiValued: true })]],
    ['a list that is never returned', [field({ ...list, returned: 'never' }), field(value, list)]],
    ['a list without a value', [field(list), field({ name: 'type', type: 'string' }, list)]],
    ['a list of numbers', [field(list), field({ name: 'value', type: 'integer' }, list)]],
  ])('does not select from %s', (_, fields) => {
    expect(valueFilters(typeOf(...fields), [])).toEqual([])
  })

  it('compares one value, also if no resource has one', () => {
    expect(valueFilters(typeOf(field(list), field(value, list)), [])).toEqual([
      'emails[value sw "no"]',
      'emails[not (value sw "no")]',
      'not (emails[value eq "NONE"])',
    ])
  })
})
