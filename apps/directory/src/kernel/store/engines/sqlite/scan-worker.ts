import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from './sqlite-connection.ts'
import { openFile } from './sqlite-file.ts'

// The worker thread to which scan-thread.ts sends statements.

/** A SQLite file's path, and how long (ms) to wait while another process writes. */
export interface ScannedFile {
  readonly path: string
  readonly busyTimeout: number
}

/** A scan's statement. */
export interface Statement {
  /** The scan's number. */
  readonly scan: number
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

/** A message to the thread. It answers a statement and a scan's end, but not `close`, which ends the thread. */
export type Order = Statement | 'end' | 'close'

/** A statement's result. An error is sent as its fields, which a copied Error would lose. */
export type Answer =
  | { readonly names: readonly string[]; readonly rows: readonly unknown[] }
  | { readonly message: string; readonly errcode: number | undefined }

const { path, busyTimeout, stopped } = workerData as ScannedFile & { readonly stopped: Int32Array }
let scan = 0
const connection = openConnection(() => {
  const database = openFile(path, { busyTimeout, cache: 16_384, readOnly: true })
  database.function('going', (_rowid) => {
    if (Atomics.load(stopped, 0) === scan) throw new Error('the scan was stopped')
    return 1
  })
  hideTables(database)
  return database
})
const prepare = connection.preparing((statement) => {
  statement.setReturnArrays(true)
  return statement
})

// A running SQLite statement cannot be interrupted. So a view hides each table, and calls a function at each
// row, which throws if the scan was stopped. SQLite calls it before the statement's conditions, and keeps the
// table's plan. The function has an argument so SQLite calls it for each row.
function hideTables(database: DatabaseSync): void {
  const tables = database.prepare(
    `select name, wr as is_clustered, (
       select name from pragma_table_info(tables.name) where pk > 0 order by pk desc limit 1
     ) as last_key from pragma_table_list() as tables
     where schema = 'main' and type = 'table' and name not like 'sqlite^_%' escape '^'`,
  )
  for (const { name, is_clustered, last_key } of tables.all()) {
    // Every index contains the rows' key.
    const key = is_clustered === 1 ? `"${last_key}"` : 'rowid'
    database.exec(`create temp view "${name}" as select * from main."${name}" where going(${key})`)
  }
}

parentPort?.on('message', (order: Order) => {
  if (order === 'close') {
    connection.database.close()
    parentPort?.close()
  } else if (order === 'end') {
    if (connection.database.isTransaction) connection.database.exec('commit')
    parentPort?.postMessage({ names: [], rows: [] } satisfies Answer)
  } else {
    parentPort?.postMessage(runStatement(order))
  }
})

function runStatement({ scan: number, text, values }: Statement): Answer {
  scan = number
  try {
    if (!connection.database.isTransaction) {
      connection.renewIfDue()
      connection.database.exec('begin')
    }
    const statement = prepare(text)
    const rows: readonly unknown[] = statement.all(...values)
    return { names: statement.columns().map(({ name }) => name), rows }
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number }
    return { message, errcode }
  }
}
