import { unwrap } from '@plumbline/result'
import { parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import {
  and,
  between,
  eq,
  gt,
  gte,
  ilike,
  inList,
  isNull,
  like,
  lt,
  lte,
  ne,
  notInList,
  notNull,
  or,
  type Predicate,
} from '@remix-run/data-table'
import { describe, expect, it } from 'vitest'
import { USERS } from '../src/resources/user.ts'
import { writePredicate } from '../src/store/list/write-predicate.ts'
import { indexedAttributes } from '../src/store/values/indexed-attributes.ts'
import { narrowingOf, residualOf, translateValues } from '../src/store/values/translate-values.ts'
import { CONDITION_CASES } from './filter-conditions.cases.ts'

describe('the condition of a filter over users', () => {
  it.each(CONDITION_CASES.map((one) => [one.section, one.shows, one] as const))(
    '%s: %s',
    (_section, _shows, { filter, hasHashes = false }) => {
      expect(conditionOf(filter, hasHashes)).toMatchSnapshot()
    },
  )
})

it.each(['active gt true', 'active eq "true"'])(
  'the column of a boolean rejects another comparison: %s (RFC 7644 §3.4.2.2)',
  (filter) => {
    expect(() => conditionOf(filter, false)).toThrow(/boolean|true or false/)
  },
)

describe('a predicate of the query library is written as', () => {
  const other: Predicate = {
    type: 'comparison',
    operator: 'lt',
    column: 'a',
    value: 'b',
    valueType: 'column',
  }
  it.each<[string, Predicate, readonly unknown[]]>([
    ['"a" = ?', eq('a', 1), [1]],
    ['"a" <> ?', ne('a', 1), [1]],
    ['"a" > ?', gt('a', 1), [1]],
    ['"a" >= ?', gte('a', 1), [1]],
    ['"a" < ?', lt('a', 1), [1]],
    ['"a" <= ?', lte('a', 1), [1]],
    ['"a" < "b"', other, []],
    ['"a" = ?', eq('a', true), [1]],
    ['"a" = ?', eq('a', false), [0]],
    ['"a" in (?, ?)', inList('a', [1, 2]), [1, 2]],
    ['1 = 0', inList('a', []), []],
    ['"a" not in (?, ?)', notInList('a', [1, 2]), [1, 2]],
    ['1 = 1', notInList('a', []), []],
    ['"a" like ?', like('a', 'x%'), ['x%']],
    ['lower("a") like lower(?)', ilike('a', 'x%'), ['x%']],
    ['"a" between ? and ?', between('a', 1, 2), [1, 2]],
    ['"a" is null', isNull('a'), []],
    ['"a" is not null', notNull('a'), []],
    ['("a" = ? and "b" is null)', and(eq('a', 1), isNull('b')), [1]],
    ['("a" = ? or "b" is null)', or(eq('a', 1), isNull('b')), [1]],
  ])('%s', (text, predicate, values) => {
    expect(writePredicate(predicate)).toEqual({ text, values })
  })
})

/** The condition on the rows of users, its values, and the filter that is left to memory. */
function conditionOf(filter: string, hasHashes: boolean): object {
  const tables = {
    resources: 'users',
    values: 'user_values',
    columns: USERS.columns,
    attributes: indexedAttributes(USERS.definitions),
  }
  const scope = { ...tables, dialect: 'sqlite', hasHashes: () => hasHashes } as const
  const tree = translateValues(unwrap(parseFilter(filter)), scope)
  const { condition, isExact } = narrowingOf(tree, tables)
  const residual = residualOf(tree)
  return {
    where:
      condition?.text.replaceAll(
        /exists \(select 1 from user_values (\w) where (?:\w\.\w+ = \w+\.\w+ and )+/g,
        'exists ($1: ',
      ) ?? null,
    values: condition?.values ?? [],
    isExact,
    inMemory: residual && stringifyFilter(residual),
  }
}
