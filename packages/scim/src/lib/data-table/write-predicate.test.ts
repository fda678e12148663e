import { describe, expect, it } from 'vitest'
import { compare, type Match, type Predicate } from '../predicate/predicate.ts'
import { writePredicate } from './write-predicate.ts'

const comparison = (operator: string, column: string, value: unknown) => ({
  type: 'comparison',
  operator,
  column,
  value,
  valueType: 'value',
})
const match = (pieces: readonly string[], options: Partial<Match> = {}): Match => ({
  type: 'match',
  column: 'a',
  pieces,
  folded: false,
  negated: false,
  ...options,
})

describe('a query library predicate, as data', () => {
  it.each<[what: string, predicate: Predicate, written: object]>([
    ['a comparison', compare('a', 'gte', 5), comparison('gte', 'a', 5)],
    [
      'a value that equals a column name',
      compare('a', 'eq', 'admin.password'),
      comparison('eq', 'a', 'admin.password'),
    ],
    [
      'a list of values',
      { type: 'in', column: 'a', values: ['x', 1] },
      comparison('in', 'a', ['x', 1]),
    ],
    [
      'strings in any letter case',
      { type: 'foldedIn', column: 'a', values: ['x', 'y%'] },
      {
        type: 'logical',
        operator: 'or',
        predicates: [comparison('ilike', 'a', 'x'), comparison('ilike', 'a', 'y_')],
      },
    ],
    ['a case-sensitive match', match(['x', '']), comparison('like', 'a', 'x%')],
    [
      'a match in any letter case',
      match(['', 'x', ''], { folded: true }),
      comparison('ilike', 'a', '%x%'),
    ],
    [
      'wildcards, which each become any character',
      match(['50%_', '\\x']),
      comparison('like', 'a', '50__%_x'),
    ],
    [
      'a column without a value',
      { type: 'null', column: 'a', negated: false },
      { type: 'null', operator: 'isNull', column: 'a' },
    ],
    [
      'a column with a value',
      { type: 'null', column: 'a', negated: true },
      { type: 'null', operator: 'notNull', column: 'a' },
    ],
    [
      'a conjunction',
      { type: 'logical', operator: 'and', operands: [compare('a', 'eq', 1)] },
      { type: 'logical', operator: 'and', predicates: [comparison('eq', 'a', 1)] },
    ],
  ])('a predicate is written for %s', (_, predicate, written) => {
    expect(writePredicate(predicate)).toStrictEqual(written)
  })

  it('a match cannot be negated, and another table cannot be selected', () => {
    expect(() => writePredicate(match(['x'], { negated: true }))).toThrow(
      new TypeError('the query library cannot negate a match'),
    )
    const join = { table: 'mails', on: [['person', 'id']] as const }
    const where = compare('a', 'eq', 1)
    expect(() => writePredicate({ type: 'exists', join, where, negated: false })).toThrow(
      new TypeError('the query library cannot select from another table'),
    )
  })
})
