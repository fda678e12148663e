import { describe, expect, it } from 'vitest'
import { parseKey, translateKey } from './key.ts'
import { always, compare, never } from './predicate.ts'

const UUID = '0a1b2c3d-4e5f-6789-abcd-ef0123456789'

describe('a key is read as databases write it', () => {
  it.each([
    ['0', 0n],
    ['-1', -1n],
    ['42', 42n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', null],
    ['-9223372036854775809', null],
    ['12345678901234567890', null],
    ['-0', null],
    ['042', null],
    ['+1', null],
    ['1.0', null],
    ['1 ', null],
    ['a1', null],
    ['', null],
  ])('the integer %j is read as a key', (value, key) => {
    expect(parseKey(value, 'integer')).toBe(key)
  })

  it.each([
    [UUID, UUID],
    // Another letter case is another string (RFC 7643 §2.3.1).
    [UUID.toUpperCase(), null],
    [`x${UUID}`, null],
    [`${UUID}0`, null],
    [UUID.replaceAll('-', ''), null],
    [UUID.slice(0, -5), null],
    ['', null],
  ])('the UUID %j is read as a key', (value, key) => {
    expect(parseKey(value, 'uuid')).toBe(key)
  })
})

describe('a key comparison', () => {
  const key = { name: 'id', type: 'integer' } as const

  it.each([
    ['eq', '7', compare('id', 'eq', 7n)],
    ['ne', '7', compare('id', 'ne', 7n)],
    ['eq', 'x', never('id')],
    ['ne', 'x', always('id')],
  ] as const)('a key comparison with %s %j is exact', (operator, value, exact) => {
    expect(translateKey(key, operator, value)).toEqual({ exact })
  })

  it.each(['gt', 'ge', 'lt', 'le', 'co', 'sw', 'ew'] as const)('%s runs in memory', (operator) => {
    const reason = `${operator} requires a column of strings`
    expect(translateKey(key, operator, '7')).toEqual({ reason, superset: null })
  })
})
