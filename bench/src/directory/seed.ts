import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DatabaseLocation } from '../../../apps/directory/src/config.ts'
import { makeToken } from '../../../apps/directory/src/start.ts'
import { openStore } from '../../../apps/directory/src/store/open.ts'
import { type Row, type Size, tablesOf } from './rows.ts'

/** A database full of users and groups. */
export interface Seeded {
  readonly location: DatabaseLocation
  /** A token of the database. */
  readonly token: string
}

/** Fills the database, which is made where it has to be; one that is full is taken as it is. */
export async function seed(location: DatabaseLocation, size: Size): Promise<Seeded> {
  const store = await openStore(location)
  const token = await makeToken(store, Date.now())
  await store.close()
  const started = performance.now()
  if (location.kind === 'sqlite') seedSqlite(location.path, size)
  else await seedPostgres(location.url, size)
  const seconds = ((performance.now() - started) / 1_000).toFixed(0)
  console.log(`\n${size.users} users and ${size.groups + 1} groups in ${seconds} s`)
  return { location, token }
}

function seedSqlite(path: string, size: Size): void {
  const database = new DatabaseSync(path)
  const isFull = database.prepare('select 1 from users limit 1').get() !== undefined
  if (!isFull) fill(database, size)
  database.close()
}

function fill(database: DatabaseSync, size: Size): void {
  database.exec('pragma synchronous = off; pragma cache_size = -500000; begin')
  for (const [table, rows] of tablesOf(size)) {
    const columns = database
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name))
    const places = columns.map(() => '?').join(', ')
    const insert = database.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${places})`,
    )
    for (const row of rows) {
      insert.run(
        ...columns.map((name) => {
          const value = row[name] ?? null
          return typeof value === 'boolean' ? Number(value) : value
        }),
      )
    }
  }
  database.exec('commit; analyze; pragma wal_checkpoint(truncate)')
}

async function seedPostgres(url: string, size: Size): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    if ((await client.query('select 1 from users limit 1')).rowCount === 1) return
    for (const [table, rows] of tablesOf(size)) {
      const insert = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`
      for (const batch of batchesOf(rows)) await client.query(insert, [JSON.stringify(batch)])
    }
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

function* batchesOf(rows: Iterable<Row>): Iterable<Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < 5_000) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
