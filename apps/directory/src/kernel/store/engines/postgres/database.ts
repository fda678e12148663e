import { renderSql, type SqlTraits } from '@plumbline/scim/internal'
import type pg from 'pg'
import type { Database } from '../../database.ts'

/** Sends a statement over a connection. */
export type Query = (
  text: string,
  values: unknown[],
  traits: SqlTraits,
) => Promise<Pick<pg.QueryResult, 'rows' | 'rowCount'>>

/** Wraps a connection in a database object. */
export function databaseOf(query: Query): Database {
  return {
    exec: async (statement) => {
      const { sql, parameters } = renderSql(statement, 'postgres')
      const { rows, rowCount } = await query(sql, [...parameters], statement.traits)
      return { rows, affectedRows: rowCount ?? 0 }
    },
  }
}
