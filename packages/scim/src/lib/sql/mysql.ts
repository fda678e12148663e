import { type Fragment, sql } from './fragment.ts'
import { type DialectRules, likePattern, listOf, OPERATORS } from './rules.ts'

/** MySQL and MariaDB. Columns may have any collation, so strings are compared as UTF-8 bytes. */
export const MYSQL: DialectRules = {
  quote: '`',
  placeholder: () => '?',
  bind: (value) => {
    if (typeof value === 'boolean') return Number(value)
    return typeof value === 'bigint' ? String(value) : value
  },
  compareText: (column, operator, value) => {
    const exact = sql`${bytes(column)} ${OPERATORS[operator]} ${bytes(sql`${value}`)}`
    // The first comparison lets an index find the rows.
    return operator === 'eq' ? sql`(${column} = ${value} and ${exact})` : exact
  },
  textIn: (column, values) => {
    const given = values.map((value) => sql`${value}`)
    return sql`(${column} in ${listOf(given)} and ${bytes(column)} in ${listOf(given.map(bytes))})`
  },
  instant: (column) => column,
  compareTimestamp: (column, operator, value) => sql`${column} ${OPERATORS[operator]} ${value}`,
  timestamp: (value) => value,
  isNonAscii: (column) => sql`length(convert(${column} using utf8mb4)) <> char_length(${column})`,
  forUpdate: sql` for update`,
  forChange: sql` for update`,
  // A foreign key shares the locks of the rows. Two transactions that share a lock could not lock the row for a change.
  forReference: sql` for update`,
  // Rows are locked in the order of the index that is read, such as one that starts with the tenant.
  unindexed: (condition) => sql`(case when ${condition} then 1 end) = 1`,
  joinsSelections: false,
  bytes: (column) => sql`length(${column})`,
  integer: (value) => sql`${value}`,
  match: (column, pieces) =>
    sql`${bytes(column)} like ${bytes(sql`${likePattern(pieces)}`)} escape '!'`,
  fold: (column) => bytes(sql`lower(${withoutDottedI(column)})`),
  folded: (value) => bytes(sql`${value}`),
  order: bytes,
}

/** Converts a string to bytes. Unlike a binary collation, bytes are the same in MySQL and MariaDB, and not padded. */
function bytes(text: Fragment): Fragment {
  return sql`cast(convert(${text} using utf8mb4) as binary)`
}

/** The database folds İ (U+0130) to i. JavaScript folds it to i and a dot above (U+0307). */
function withoutDottedI(text: Fragment): Fragment {
  const dotted = sql`convert(x'C4B0' using utf8mb4)`
  const folded = sql`convert(x'69CC87' using utf8mb4)`
  return sql`replace(convert(${text} using utf8mb4) collate utf8mb4_bin, ${dotted}, ${folded})`
}
