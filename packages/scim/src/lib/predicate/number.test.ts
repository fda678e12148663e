import { describe, expect, it } from 'vitest'
import { Rejection } from '../filter/rejection.ts'
import { translateInstant } from './instant.ts'
import { translateNumber } from './number.ts'
import { always, type Comparison, compare, never, type Predicate } from './predicate.ts'

const whole = { whole: true }
const TOO_LARGE = { reason: 'the number is too large', superset: null }
const is = (operator: Comparison, value: number): Predicate => compare('c', operator, value)

describe('a whole number comparison', () => {
  it.each([
    ['eq', 5, is('eq', 5)],
    ['le', -0, is('lte', 0)],
    ['eq', 5.5, never('c')],
    ['ne', 5.5, always('c')],
    ['gt', 5.5, is('gte', 6)],
    ['ge', 5.5, is('gte', 6)],
    ['lt', 5.5, is('lte', 5)],
    ['le', -5.5, is('lte', -6)],
    ['eq', 2 ** 31 - 1, is('eq', 2 ** 31 - 1)],
    ['eq', -(2 ** 31), is('eq', -(2 ** 31))],
  ] as const)('a comparison of whole numbers with %s %d is exact', (operator, value, exact) => {
    expect(translateNumber('c', operator, value, whole)).toEqual({ exact })
  })

  it.each([2 ** 31, -(2 ** 31) - 1, 2 ** 31 - 0.5, Number.POSITIVE_INFINITY])(
    'whole numbers compared with %d, which does not fit into 32 bits, run in memory',
    (value) => {
      expect(translateNumber('c', 'ge', value, whole)).toEqual(TOO_LARGE)
    },
  )
})

describe('a decimal comparison', () => {
  it('a negative zero is sent as zero, because both are equal', () => {
    const exact = is('eq', 0)
    expect(translateNumber('c', 'eq', -0, { whole: false })).toStrictEqual({ exact })
  })

  it.each([5.5, 2 ** 40])('comparing decimals with %d is exact', (value) => {
    expect(translateNumber('c', 'ge', value, { whole: false })).toEqual({ exact: is('gte', value) })
  })

  it('comparing decimals with an infinite number runs in memory', () => {
    expect(translateNumber('c', 'lt', Number.NEGATIVE_INFINITY, { whole: false })).toEqual(
      TOO_LARGE,
    )
  })
})

it.each(['co', 'sw', 'ew'] as const)(
  '%s is rejected for numbers and instants (RFC 7644 §3.4.2.2)',
  (operator) => {
    const number = translateNumber('c', operator, 5, whole)
    const column = { kind: 'dateTime', name: 'c', format: 'text' } as const
    const instant = translateInstant(column, operator, '2026-01-01T00:00:00Z')
    for (const found of [number, instant]) expect(found).toBeInstanceOf(Rejection)
  },
)

describe('an instant comparison', () => {
  const at = (format: 'milliseconds' | 'seconds' | 'text' | 'timestamp') =>
    ({ kind: 'dateTime', name: 'c', format }) as const

  it.each([
    ['milliseconds', 'eq', '1970-01-01T00:00:01.5Z', compare('c', 'eq', 1_500)],
    ['milliseconds', 'gt', '1970-01-01T00:00:00.0015Z', compare('c', 'gt', 1)],
    ['milliseconds', 'ge', '1970-01-01T00:00:00.0015Z', compare('c', 'gt', 1)],
    ['milliseconds', 'lt', '1970-01-01T00:00:00.0015Z', compare('c', 'lte', 1)],
    ['milliseconds', 'le', '1970-01-01T00:00:00.0015Z', compare('c', 'lte', 1)],
    ['milliseconds', 'eq', '1970-01-01T00:00:00.0015Z', never('c')],
    ['milliseconds', 'ne', '1970-01-01T00:00:00.0015Z', always('c')],
    ['seconds', 'le', '1970-01-01T00:00:02Z', compare('c', 'lte', 2)],
    ['seconds', 'le', '1970-01-01T00:00:02.5Z', compare('c', 'lte', 2)],
    ['seconds', 'gt', '1969-12-31T23:59:58.5Z', compare('c', 'gt', -2)],
    ['text', 'eq', '1970-01-01T01:00:00+01:00', compare('c', 'eq', '1970-01-01T00:00:00.000Z')],
    ['timestamp', 'ge', '1970-01-01T00:00:00Z', compare('c', 'gte', new Date(0))],
  ] as const)('instants stored as %s: %s %s', (format, operator, value, exact) => {
    expect(translateInstant(at(format), operator, value)).toEqual({ exact })
  })

  it('comparing instants with another string is rejected', () => {
    expect(translateInstant(at('text'), 'eq', 'yesterday')).toBeInstanceOf(Rejection)
  })
})
