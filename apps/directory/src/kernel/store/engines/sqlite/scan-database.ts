import { renderSql } from '@plumbline/scim/internal'
import type { Database } from '../../database.ts'
import type { Statement } from './scan-worker.ts'

/** Opens a database whose statements run on another thread. */
export function openScanDatabase(
  run: (text: string, values: Statement['values']) => Promise<Record<string, unknown>[]>,
): Database {
  return {
    exec: async (statement) => {
      const { sql, parameters } = renderSql(statement, 'sqlite')
      // The store writes only values SQLite can bind.
      return { rows: await run(sql, parameters as Statement['values']), affectedRows: 0 }
    },
  }
}
