import { describe, expect, it } from 'vitest'
import type { Field } from '../../model/fields.ts'
import type { Attribute } from '../../model/types.ts'
import { comparisons, logicalFilters, missingFilters, valueFilters } from './generate-filters.ts'

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
const typeOf = (...fields: readonly Field[]) => ({ fields })

describe('comparisons: RFC 7644 §3.4.2.2', () => {
  it('comparisons use generated values without a resource', () => {
    expect(comparisons(field(flag), [])).toEqual(['on pr', 'on eq false', 'on eq true'])
  })

  it('equality is compared with the first value, and order with the middle one', () => {
    const count: Attribute = { name: 'n', type: 'integer' }
    expect(comparisons(field(count), [{ n: 1 }, { n: 2 }, { n: 3 }])).toEqual([
      'n pr',
      'n eq 1',
      'n eq 18',
      'n gt 2',
      'n ge 2',
      'n lt 2',
      'n le 2',
    ])
  })

  it('instants are compared in another offset', () => {
    const seen: Attribute = { name: 'seen', type: 'dateTime' }
    expect(comparisons(field(seen), [{ seen: '2026-01-01T02:00:00+02:00' }]).slice(-2)).toEqual([
      'seen eq "2026-01-01T00:00:00.000Z"',
      'seen le "2026-01-01T00:00:00.000Z"',
    ])
  })

  it('strings and their parts are compared in another letter case, and with what collations ignore', () => {
    expect(comparisons(field(string), [{ a: 'Adam' }]).slice(7)).toEqual([
      'a eq "aDAM"',
      'a sw "aD"',
      'a ew "AM"',
      'a co "DA"',
      'a sw "dam"',
      'a ew "Ada"',
      'a eq "Ádam"',
      'a eq "Adam "',
    ])
  })
})

it('missingFilters: RFC 7643 §2.5, ne and eq null select resources without a value', () => {
  expect(missingFilters(field(string), 'x')).toEqual(['a ne "x"', 'a eq null'])
})

describe('logicalFilters: RFC 7644 §3.4.2.2', () => {
  it('logicalFilters combines nothing without two comparable attributes', () => {
    expect(logicalFilters(typeOf(), [])).toEqual([])
    expect(logicalFilters(typeOf(field(string)), [])).toEqual([])
    expect(logicalFilters(typeOf(field({ name: 'n', type: 'integer' })), [])).toEqual([])
  })

  it('logicalFilters combines strings and booleans with and, or and not', () => {
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

  it('logicalFilters combines at most six attributes', () => {
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
  ])('valueFilters does not select from %s', (_, fields) => {
    expect(valueFilters(typeOf(...fields), [])).toEqual([])
  })

  it('valueFilters compares one value, even if no resource has one', () => {
    expect(valueFilters(typeOf(field(list), field(value, list)), [])).toEqual([
      'emails[value sw "no"]',
      'emails[not (value sw "no")]',
      'not (emails[value eq "NONE"])',
    ])
  })
})
