import { optionFault } from '@plumbline/base'
import type { Fragment, SqlValue } from './fragment.ts'
import { MYSQL } from './mysql.ts'
import { POSTGRES } from './postgres.ts'
import { type DialectRules, forBinaryColumns } from './rules.ts'
import { SQLITE } from './sqlite.ts'

/** A supported database. `mysql` includes MariaDB. */
export type Dialect = 'sqlite' | 'postgres' | 'mysql'

/** SQL rules for each dialect. */
export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  sqlite: SQLITE,
  postgres: POSTGRES,
  mysql: MYSQL,
}

/**
 * Returns a dialect's rules. With `isBinary`, they expect columns with binary collations. Throws a TypeError for an
 * unknown dialect.
 */
export function rulesOf(dialect: Dialect, isBinary = false): DialectRules {
  if (Object.hasOwn(DIALECTS, dialect)) return isBinary ? BINARY[dialect] : DIALECTS[dialect]
  throw optionFault('dialect', `one of ${Object.keys(DIALECTS).join(', ')}`, dialect)
}

/** MySQL keeps its rules because its binary collations pad strings. */
const BINARY: typeof DIALECTS = {
  ...DIALECTS,
  sqlite: forBinaryColumns(SQLITE),
  postgres: forBinaryColumns(POSTGRES),
}

/** An SQL statement with placeholders, and its parameters in placeholder order. */
export interface RenderedSql {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** Writes a statement for a database, with the database's placeholders. */
export function renderSql(statement: Fragment, dialect: Dialect): RenderedSql {
  return render(statement, rulesOf(dialect))
}

/** Writes a fragment's placeholders. `offset` parameters come before them in the statement. */
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
