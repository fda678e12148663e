import { type Fragment, sql } from './fragment.ts'
import { type DialectRules, likePattern, listOf, OPERATORS } from './rules.ts'

/** PostgreSQL. Columns may have any deterministic collation: equal strings have equal bytes. */
export const POSTGRES: DialectRules = {
  quote: '"',
  placeholder: (position) => `$${position}`,
  bind: (value) => {
    if (value instanceof Date) return writeTimestamp(value)
    return typeof value === 'bigint' ? String(value) : value
  },
  compareText: (column, operator, value) =>
    operator === 'eq' || operator === 'ne'
      ? sql`${column} ${OPERATORS[operator]} ${value}`
      : sql`${column} collate "C" ${OPERATORS[operator]} ${value}`,
  textIn: (column, values) => sql`${column} in ${listOf(values.map((value) => sql`${value}`))}`,
  instant,
  compareTimestamp: (column, operator, value) =>
    sql`${instant(column)} ${OPERATORS[operator]} ${value}::timestamptz`,
  timestamp: (value) => value,
  isNonAscii: (column) => sql`octet_length(${column}) <> char_length(${column})`,
  forUpdate: sql` for update`,
  forChange: sql` for no key update`,
  forReference: null,
  unindexed: (condition) => condition,
  // Without statistics, it compares all rows of one table with all rows of the other.
  joinsSelections: true,
  bytes: (column) => sql`octet_length(${column}::text)`,
  integer: (value) => sql`${value}::bigint`,
  match: (column, pieces) => sql`${column} like ${likePattern(pieces)} escape '!'`,
  // The collation "C" folds ASCII letters only.
  fold: (column) => sql`lower(${column} collate "C")`,
  folded: (value) => sql`${value}`,
  order: (column) => sql`${column} collate "C"`,
}

/** Truncates to milliseconds: timestamps have microseconds, but a SCIM dateTime is read in milliseconds. */
function instant(column: Fragment): Fragment {
  return sql`date_trunc('milliseconds', ${column})`
}

/** PostgreSQL does not have a year 0. */
function writeTimestamp(value: Date): string {
  const text = value.toISOString()
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text
}
