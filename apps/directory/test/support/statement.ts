import { type Fragment, renderSql } from '@plumbline/scim/internal'

/** A statement that ran. */
export interface Statement {
  /** With `?` for each value. */
  readonly text: string
  readonly values: readonly unknown[]
  readonly fragment: Fragment
}

export function statementOf(fragment: Fragment): Statement {
  const { sql, parameters } = renderSql(fragment, 'sqlite')
  return { text: sql, values: parameters, fragment }
}
