import { sql } from './fragment.ts'
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
  compareTimestamp: (column, operator, value) =>
    sql`date_trunc('milliseconds', ${column}) ${OPERATORS[operator]} ${value}::timestamptz`,
  timestamp: (value) => value,
  isNonAscii: (column) => sql`octet_length(${column}) <> char_length(${column})`,
  forUpdate: sql` for update`,
  integer: (value) => sql`${value}::bigint`,
  match: (column, pieces) => sql`${column} like ${likePattern(pieces)} escape '!'`,
  // The collation "C" folds ASCII letters only.
  fold: (column) => sql`lower(${column} collate "C")`,
  folded: (value) => sql`${value}`,
  order: (column) => sql`${column} collate "C"`,
}

/** PostgreSQL does not have a year 0. */
function writeTimestamp(value: Date): string {
  const text = value.toISOString()
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text
}
