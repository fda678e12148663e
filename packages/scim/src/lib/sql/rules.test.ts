import { expect, it } from 'vitest'
import { DIALECTS, type Dialect, render } from './dialect.ts'
import { raw, sql } from './fragment.ts'
import type { DialectRules } from './rules.ts'

type Written = readonly [sql: string, ...values: unknown[]]

const column = raw('c')
const at = new Date('2026-01-31T12:00:00.5Z')
const parts: Readonly<Record<string, (rules: DialectRules) => Written>> = {
  'the locking of rows': (rules) => written(rules, rules.forUpdate),
  'the locking of rows that others may refer to': (rules) =>
    written(rules, rules.forChange ?? sql``),
  'the locking of rows before others refer to them': (rules) =>
    written(rules, rules.forReference ?? sql``),
  'a condition on rows to lock': (rules) => written(rules, rules.unindexed(sql`${column} = ${1}`)),
  'the test for letters outside of ASCII': (rules) => written(rules, rules.isNonAscii(column)),
  'the order of strings': (rules) => written(rules, rules.order(column)),
  'a list of strings': (rules) => written(rules, rules.textIn(column, ['a', 'b'])),
  'a pattern': (rules) => written(rules, rules.match(column, ['a%_!*?[', ''])),
  'a folded string': (rules) => written(rules, rules.fold(column)),
  'a number with 64 bits': (rules) => written(rules, rules.integer(2n ** 60n)),
  'a comparison of instants': (rules) => written(rules, rules.compareTimestamp(column, 'lt', at)),
  'a stored instant': (rules) => written(rules, sql`${rules.timestamp(at)}`),
  'a boolean': (rules) => written(rules, sql`${true}, ${false}`),
  null: (rules) => written(rules, sql`${null}`),
}

const bytes = (text: string) => `cast(convert(${text} using utf8mb4) as binary)`
const letters =
  "replace(convert(c using utf8mb4) collate utf8mb4_bin, convert(x'C4B0' using utf8mb4), convert(x'69CC87' using utf8mb4))"

const rows: Readonly<Record<Dialect, Readonly<Record<string, Written>>>> = {
  sqlite: {
    'the locking of rows': [''],
    'the locking of rows that others may refer to': [''],
    'the locking of rows before others refer to them': [''],
    'a condition on rows to lock': ['c = ?', 1],
    'the test for letters outside of ASCII': ['length(cast(c as blob)) <> length(c)'],
    'the order of strings': ['c collate binary'],
    'a list of strings': ['c collate binary in (?, ?)', 'a', 'b'],
    'a pattern': ['c glob ?', 'a%_![*][?][[]*'],
    'a folded string': ['lower(c)'],
    'a number with 64 bits': ['?', 2n ** 60n],
    'a comparison of instants': ["strftime('%Y-%m-%d %H:%M:%f', c) < ?", '2026-01-31 12:00:00.500'],
    'a stored instant': ['?', '2026-01-31 12:00:00.500'],
    'a boolean': ['?, ?', 1, 0],
    null: ['?', null],
  },
  postgres: {
    'the locking of rows': [' for update'],
    'the locking of rows that others may refer to': [' for no key update'],
    'the locking of rows before others refer to them': [''],
    'a condition on rows to lock': ['c = $1', 1],
    'the test for letters outside of ASCII': ['octet_length(c) <> char_length(c)'],
    'the order of strings': ['c collate "C"'],
    'a list of strings': ['c in ($1, $2)', 'a', 'b'],
    'a pattern': ["c like $1 escape '!'", 'a!%!_!!*?[%'],
    'a folded string': ['lower(c collate "C")'],
    'a number with 64 bits': ['$1::bigint', '1152921504606846976'],
    'a comparison of instants': [
      "date_trunc('milliseconds', c) < $1::timestamptz",
      '2026-01-31T12:00:00.500Z',
    ],
    'a stored instant': ['$1', '2026-01-31T12:00:00.500Z'],
    'a boolean': ['$1, $2', true, false],
    null: ['$1', null],
  },
  mysql: {
    'the locking of rows': [' for update'],
    'the locking of rows that others may refer to': [' for update'],
    'the locking of rows before others refer to them': [' for update'],
    'a condition on rows to lock': ['(case when c = ? then 1 end) = 1', 1],
    'the test for letters outside of ASCII': ['length(convert(c using utf8mb4)) <> char_length(c)'],
    'the order of strings': [bytes('c')],
    'a list of strings': [
      `(c in (?, ?) and ${bytes('c')} in (${bytes('?')}, ${bytes('?')}))`,
      'a',
      'b',
      'a',
      'b',
    ],
    'a pattern': [`${bytes('c')} like ${bytes('?')} escape '!'`, 'a!%!_!!*?[%'],
    'a folded string': [bytes(`lower(${letters})`)],
    'a number with 64 bits': ['?', '1152921504606846976'],
    'a comparison of instants': ['c < ?', at],
    'a stored instant': ['?', at],
    'a boolean': ['?, ?', 1, 0],
    null: ['?', null],
  },
}

it.each(
  Object.entries(rows).flatMap(([dialect, each]) =>
    Object.entries(each).map(([part, sql]) => ({ dialect: dialect as Dialect, part, sql })),
  ),
)('$dialect writes $part', ({ dialect, part, sql }) => {
  expect(parts[part]?.(DIALECTS[dialect])).toEqual(sql)
})

function written(rules: DialectRules, fragment: ReturnType<typeof raw>): Written {
  const { sql: text, parameters } = render(fragment, rules)
  return [text, ...parameters]
}
