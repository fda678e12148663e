import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw, sql } from '@plumbline/scim/internal'
import pg from 'pg'
import { WRITE_FENCE } from '../../../apps/directory/src/kernel/store/engines/postgres/fence.ts'
import { NEWEST_MIGRATION } from '../../../apps/directory/src/kernel/store/migrations/journal.ts'
import { openStore } from '../../../apps/directory/src/kernel/store/open.ts'
import { printBudget, ratiosOf } from '../budget.ts'
import { openBare } from '../directory/bare.ts'
import { amount } from '../short.ts'

/** The processor time of the smallest write transaction, with the statements of the fence and without them. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  try {
    await onSqlite(`file:${join(folder, 'directory.db')}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
  const url = process.env.PLUMBLINE_BENCH_POSTGRES_URL
  if (url === undefined) {
    console.log('\nPostgreSQL: set PLUMBLINE_BENCH_POSTGRES_URL to a database.')
    return
  }
  for (const connections of [1, CONNECTIONS]) await onPostgres(url, connections)
}

async function onSqlite(url: string): Promise<void> {
  await prepareRows(url)
  const { prepare, close } = await openBare(url, { readOnly: false })
  await prepare('pragma synchronous = normal')()
  const begin = prepare('begin immediate')
  const readNewest = prepare(NEWEST_MIGRATION)
  const write = prepare(WRITE)
  const commit = prepare('commit')
  await compare('SQLite', [], async (isFenced) => {
    begin()
    if (isFenced) readNewest()
    write(nameOf(0))
    commit()
  })
  await close()
}

async function onPostgres(url: string, connections: number): Promise<void> {
  await prepareRows(url)
  const options = '-c synchronous_commit=off'
  const settings = { connectionString: url, max: connections, pipeline: true, options }
  const pool = new pg.Pool(settings as pg.PoolConfig)
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
  const servers = await Promise.all(clients.map(serverOf))
  const what = `PostgreSQL, ${connections} at the same time`
  await compare(what, servers, async (isFenced) => {
    const begin = isFenced ? `${BEGIN}; ${WRITE_FENCE}` : BEGIN
    const transaction = async (client: pg.PoolClient, at: number): Promise<void> => {
      const begun = client.query(begin)
      const newest = isFenced ? client.query({ name: 'newest', text: NEWEST_MIGRATION }) : null
      await client.query({ name: 'write', text: WRITE, values: [nameOf(at)] })
      await begun
      await newest
      await client.query('commit')
    }
    await Promise.all(clients.map(transaction))
  })
  for (const client of clients) client.release()
  await pool.end()
}

/** Creates one row for each connection. */
async function prepareRows(url: string): Promise<void> {
  const store = await openStore(url)
  const ending = raw(store.dialect.skipExisting(['name']))
  await store.write(async (db) => {
    for (let at = 0; at < CONNECTIONS; at += 1) {
      await db.exec(
        sql`insert into settings (name, value) values (${nameOf(at)}, ${'0'}) ${ending}`,
      )
    }
  })
  await store.close()
}

/** Measures in turns, so other load on the machine affects both. */
async function compare(
  what: string,
  servers: readonly string[],
  transaction: (isFenced: boolean) => Promise<void>,
): Promise<void> {
  const times = new Map([true, false].map((isFenced): [boolean, number[]] => [isFenced, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [isFenced, spent] of times) {
      const before = processorTime(servers)
      for (let count = 0; count < COUNT; count += 1) await transaction(isFenced)
      // The first round only warms up.
      if (round > 0) spent.push((processorTime(servers) - before) / COUNT)
    }
  }
  const [fenced = [], free = []] = [times.get(true), times.get(false)]
  const of = `A transaction that changes one row, ${what}`
  console.log(`\n${of}\n\n| | processor time |\n| --- | --- |`)
  console.log(`| ${WITH} | ${median(fenced).toFixed(1)} µs |`)
  console.log(`| ${WITHOUT} | ${median(free).toFixed(1)} µs |`)
  printBudget({ of, against: WITHOUT, atMost: 2 }, ratiosOf(fenced, free))
}

/** The processor time in microseconds of this process, and of these processes of PostgreSQL. */
function processorTime(servers: readonly string[]): number {
  const { user, system } = process.cpuUsage()
  // The first number of Linux's `schedstat` is the time on a processor in nanoseconds.
  const nanoseconds = servers.map((file) => Number(readFileSync(file, 'utf8').split(' ')[0]))
  return nanoseconds.reduce((sum, one) => sum + one / 1_000, user + system)
}

/** The file with the processor time of a connection's server process, which is on this machine. */
async function serverOf(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return `/proc/${rows[0]?.pid}/schedstat`
}

function nameOf(at: number): string {
  return `fence_${at}`
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const WRITE = `update settings set value = '1' where name = $1`
const BEGIN = 'begin; set local statement_timeout = 30000'
const WITH = 'with the fence'
const WITHOUT = 'without it'
const ROUNDS = amount(9, 1)
const COUNT = amount(200, 10)
/** The number of connections that a process uses for lookups and writes. */
const CONNECTIONS = 10
