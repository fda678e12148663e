import { type Fragment, sql } from './fragment.ts'
import { type DialectRules, listOf, OPERATORS } from './rules.ts'

/** SQLite. Columns may have any collation. */
export const SQLITE: DialectRules = {
  quote: '"',
  placeholder: () => '?',
  // Drivers do not bind booleans and Dates.
  bind: (value) => (typeof value === 'boolean' ? Number(value) : value),
  compareText: (column, operator, value) =>
    sql`${column} ${OPERATORS[operator]} ${value} collate binary`,
  textIn: (column, values) =>
    sql`${column} collate binary in ${listOf(values.map((value) => sql`${value}`))}`,
  instant,
  compareTimestamp: (column, operator, value) =>
    sql`${instant(column)} ${OPERATORS[operator]} ${writeTimestamp(value)}`,
  timestamp: writeTimestamp,
  isNonAscii: (column) => sql`length(cast(${column} as blob)) <> length(${column})`,
  forUpdate: sql``,
  forChange: null,
  forReference: null,
  unindexed: (condition) => condition,
  joinsSelections: false,
  bytes: (column) => sql`length(cast(${column} as blob))`,
  integer: (value) => sql`${value}`,
  match: (column, pieces) => sql`${column} glob ${globPattern(pieces)}`,
  fold: (column) => sql`lower(${column})`,
  folded: (value) => sql`${value}`,
  order: (column) => sql`${column} collate binary`,
}

function instant(column: Fragment): Fragment {
  return sql`strftime('%Y-%m-%d %H:%M:%f', ${column})`
}

/** Writes an instant in the format of `datetime()`, with milliseconds. */
export function writeTimestamp(value: Date): string {
  return value.toISOString().slice(0, 23).replace('T', ' ')
}

/** \`like\` would ignore letter case, unless a pragma on the connection says otherwise. */
function globPattern(pieces: readonly string[]): string {
  return pieces.map((piece) => piece.replace(/[*?[]/g, '[$&]')).join('*')
}
