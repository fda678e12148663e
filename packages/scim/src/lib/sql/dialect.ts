import type { Fragment, SqlValue } from './fragment.ts'
import { MYSQL } from './mysql.ts'
import { POSTGRES } from './postgres.ts'
import type { DialectRules } from './rules.ts'
import { SQLITE } from './sqlite.ts'

/** A database. `mysql` is also MariaDB. */
export type Dialect = 'sqlite' | 'postgres' | 'mysql'

/** The rules of each dialect. */
export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  sqlite: SQLITE,
  postgres: POSTGRES,
  mysql: MYSQL,
}

/** A statement of SQL with placeholders, and the values in their order. */
export interface RenderedSql {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** Writes the placeholders of a fragment. `offset` values precede it in the statement. */
export function render(
  { strings, values }: Fragment,
  rules: DialectRules,
  offset = 0,
): RenderedSql {
  const [first = '', ...others] = strings
  const texts = others.map((text, at) => rules.placeholder(offset + at + 1) + text)
  return { sql: first + texts.join(''), parameters: values.map(rules.bind) }
}
