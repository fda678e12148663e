import type { Fragment, SqlValue } from './fragment.ts'
import { MYSQL } from './mysql.ts'
import { POSTGRES } from './postgres.ts'
import { type DialectRules, forBinaryColumns } from './rules.ts'
import { SQLITE } from './sqlite.ts'

/** A database. `mysql` is also MariaDB. */
export type Dialect = 'sqlite' | 'postgres' | 'mysql'

/** The rules of each dialect. */
export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  sqlite: SQLITE,
  postgres: POSTGRES,
  mysql: MYSQL,
}

/** The rules of a dialect; with `isBinary`, for columns whose collations are binary. */
export function rulesOf(dialect: Dialect, isBinary = false): DialectRules {
  return isBinary ? BINARY[dialect] : DIALECTS[dialect]
}

/** The binary collations of MySQL pad strings. */
const BINARY: typeof DIALECTS = {
  ...DIALECTS,
  sqlite: forBinaryColumns(SQLITE),
  postgres: forBinaryColumns(POSTGRES),
}

/** A statement of SQL with placeholders, and the values in their order. */
export interface RenderedSql {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** Writes a statement for a database, with its placeholders. */
export function renderSql(statement: Fragment, dialect: Dialect): RenderedSql {
  return render(statement, DIALECTS[dialect])
}

/** Writes the placeholders of a fragment. `offset` values precede it in the statement. */
export function render(
  { strings, values }: Fragment,
  rules: DialectRules,
  offset = 0,
): RenderedSql {
  let text = strings[0] ?? ''
  for (let at = 1; at < strings.length; at += 1) {
    text += rules.placeholder(offset + at) + (strings[at] ?? '')
  }
  return { sql: text, parameters: values.map(rules.bind) }
}
