import type { DatabaseSync } from 'node:sqlite'

/**
 * Gives the query planner the same statistics in every database, in place of those `analyze` has collected. Plans
 * then do not depend on what the database contained at that moment, and the tests see every service's plans.
 * Connections that are already open keep the previous statistics.
 *
 * @see https://sqlite.org/lang_analyze.html#fixed_results_of_analyze
 */
export function fixStatistics(database: DatabaseSync): void {
  const wanted = statisticsOf(database)
  if (JSON.stringify(readStatistics(database)) === JSON.stringify(wanted)) return
  database.exec('begin immediate')
  try {
    // Creates the table if necessary.
    database.exec('analyze sqlite_schema')
    database.exec('drop table if exists sqlite_stat4')
    database.exec('delete from sqlite_stat1')
    const insert = database.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)')
    for (const { tbl, idx, stat } of wanted) insert.run(tbl, idx, stat)
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
  // The open connection reads the table again.
  database.exec('analyze sqlite_schema')
}

/** A row of `sqlite_stat1`. */
interface Statistics {
  readonly tbl: string
  readonly idx: string
  /** How many rows the index has, and how many share the first column, the first two, and so on. */
  readonly stat: string
}

/** Returns the statistics for each index that starts with the tenant. */
function statisticsOf(database: DatabaseSync): readonly Statistics[] {
  const tables = database.prepare(
    `select name, wr as is_clustered from pragma_table_list()
      where schema = 'main' and type = 'table' and name not like 'sqlite^_%' escape '^' order by name`,
  )
  const indexes = database.prepare('select name, origin from pragma_index_list(?) order by name')
  const columns = database.prepare('select name from pragma_index_info(?) order by seqno')
  return tables.all().flatMap((row) => {
    const table = String(row.name)
    return indexes.all(table).flatMap(({ name, origin }) => {
      const names = columns.all(String(name)).map((column) => column.name)
      if (names[0] !== 'tenant_id') return []
      // SQLite calls the index that is the table itself by the table's name.
      const isTable = row.is_clustered === 1 && origin === 'pk'
      return [{ tbl: table, idx: isTable ? table : String(name), stat: statOf(names.length) }]
    })
  })
}

/** A tenant has many rows and a value few. All columns of an index belong to one row. */
function statOf(columns: number): string {
  const shared = Array.from({ length: columns }, (_, at) => {
    if (at === columns - 1) return 1
    return at === 0 ? ROWS_OF_TENANT : ROWS_OF_VALUE
  })
  return [ROWS, ...shared].join(' ')
}

function readStatistics(database: DatabaseSync): readonly object[] {
  const isAnalyzed = database
    .prepare(
      `select count(*) as tables from sqlite_schema where name like 'sqlite^_stat_' escape '^'`,
    )
    .get()
  if (isAnalyzed?.tables !== 1) return []
  return database.prepare('select tbl, idx, stat from sqlite_stat1 order by tbl, rowid').all()
}

const ROWS = 1_000_000
const ROWS_OF_TENANT = 10_000
const ROWS_OF_VALUE = 10
