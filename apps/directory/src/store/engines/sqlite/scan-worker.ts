import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from './sqlite-connection.ts'
import { openFile } from './sqlite-file.ts'

// The thread that scans.ts sends statements to.

/** Where the file is, and how long another process that writes is waited for, in milliseconds. */
export interface Place {
  readonly path: string
  readonly busyTimeout: number
}

/** A statement of a scan. */
export interface Statement {
  /** The number of the scan. */
  readonly scan: number
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

/** What the thread is told to do: a statement, or to end the scan, both of which are answered, or itself. */
export type Order = Statement | 'end' | 'close'

/** What came of a statement. An error would lose its fields on the way. */
export type Answer =
  | { readonly names: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly message: string; readonly errcode: number | undefined }

const { path, busyTimeout, stopped } = workerData as Place & { readonly stopped: Int32Array }
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

// A running statement of SQLite cannot be stopped from outside. So each table is hidden behind a view that
// asks at each row whether to go on: before any condition of the statement is evaluated, and with the plan
// that the bare table has. With its argument, SQLite calls the function for the rows of that table.
function hideTables(database: DatabaseSync): void {
  const tables = database.prepare(
    `select name from main.sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^'`,
  )
  for (const { name } of tables.all()) {
    database.exec(`create temp view "${name}" as select * from main."${name}" where going(rowid)`)
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
    parentPort?.postMessage(answerTo(order))
  }
})

function answerTo({ scan: number, text, values }: Statement): Answer {
  scan = number
  try {
    if (!connection.database.isTransaction) {
      connection.renewIfDue()
      connection.database.exec('begin')
    }
    const statement = prepare(text)
    const rows = statement.all(...values) as unknown as unknown[][]
    return { names: statement.columns().map(({ name }) => name), rows }
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number }
    return { message, errcode }
  }
}
