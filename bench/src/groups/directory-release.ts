import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { DEFAULT_TENANT } from '../../../apps/directory/src/kernel/access/tenant-store.ts'
import { openBare } from '../directory/bare.ts'
import { fillEveryone } from '../directory/everyone.ts'
import { startScript } from '../directory/load.ts'
import { end, startDirectory as serveDirectory } from '../directory/processes.ts'
import { type Database, type Measured, printComparisonWithRelease } from '../directory/release.ts'
import { amount } from '../short.ts'
import { sendAll } from '../sockets.ts'
import { BARE, type Started, startDirectory, startProgram } from '../started.ts'

const RUNS = amount(5, 1)
const USERS = amount(10_000, 500)
const COUNT = 100
const REQUESTS = amount(3_000, 50)
const ROUNDS = amount(9, 1)
const TOKEN = 'a-token-of-the-benchmarks'

export async function run(): Promise<void> {
  const measured = await starts()
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  try {
    measured.push(...(await reads('SQLite', `file:${join(folder, 'directory.db')}`)))
  } finally {
    rmSync(folder, { recursive: true })
  }
  const url = process.env.PLUMBLINE_BENCH_POSTGRES_URL
  if (url === undefined) console.log('\nPostgreSQL: set PLUMBLINE_BENCH_POSTGRES_URL to a server.')
  else measured.push(...(await inNewDatabase(url, (filled) => reads('PostgreSQL', filled))))
  printComparisonWithRelease(measured)
}

async function starts(): Promise<Measured[]> {
  const ours: Started[] = []
  const bare: Started[] = []
  // The first start compiles the files.
  await startDirectory()
  for (let run = 0; run < RUNS; run += 1) {
    ours.push(await startDirectory())
    bare.push(await startProgram(BARE))
  }
  const figure = (key: 'processor' | 'resident') => ({
    ours: ours.map((one) => one[key]),
    bare: bare.map((one) => one[key]),
  })
  return [
    { figure: 'memory of an idle server', unit: 'MB', ...figure('resident') },
    { figure: 'processor time of a start', unit: 'ms', ...figure('processor') },
  ]
}

/** Runs work on a new database, which is deleted afterwards. */
async function inNewDatabase<Value>(
  url: string,
  work: (filled: string) => Promise<Value>,
): Promise<Value> {
  const name = `plumbline_release_${process.pid}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
    return await work(Object.assign(new URL(url), { pathname: `/${name}` }).href)
  } finally {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
}

/** Measures pages and reads among users in one group. */
async function reads(database: Database, url: string): Promise<Measured[]> {
  const server = await serveDirectory(url, { DIRECTORY_TOKEN: TOKEN, REQUEST_LOG_ROWS: '100000' })
  try {
    const base = `http://127.0.0.1:${server.port}/scim/v2`
    const ids = await fillEveryone(base, TOKEN, USERS)
    const page = await pages(base, url)
    const floor = await startScript('floor.ts', url)
    try {
      const latencies = await percentiles([server.port, floor.port], ids)
      return [
        {
          figure: `a page of ${COUNT} at the end of 10,000 users in a group, ${database}`,
          unit: 'ms',
          ...page,
        },
        {
          figure: `99th percentile of reads by id, 32 connections, ${database}`,
          unit: 'ms',
          ...latencies,
        },
      ]
    } finally {
      await end(floor.child)
    }
  } finally {
    await end(server.child)
  }
}

/** Times the last page, and the driver's statement for the same rows. */
async function pages(base: string, url: string): Promise<Pick<Measured, 'ours' | 'bare'>> {
  const driver = await openBare(url)
  const statement = driver.prepare(
    `select id, resource from users where tenant_id = $1
     order by id limit ${COUNT} offset ${USERS - COUNT}`,
  )
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < 10 * ROUNDS; round += 1) {
    const started = performance.now()
    const path = `/Users?startIndex=${USERS - COUNT + 1}&count=${COUNT}`
    const { Resources } = Object(await (await fetch(base + path, { headers })).json())
    ours.push(performance.now() - started)
    if (Resources?.length !== COUNT) throw new Error('the page is not full')
    const before = performance.now()
    await statement(DEFAULT_TENANT)
    bare.push(performance.now() - before)
  }
  await driver.close()
  return { ours, bare }
}

/** Reads users from two servers in turns. The first round is not counted. */
async function percentiles(
  [ours, bare]: readonly [number, number],
  ids: readonly string[],
): Promise<Pick<Measured, 'ours' | 'bare'>> {
  const read = async (port: number): Promise<number> => {
    const rest = ` HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`
    const pathOf = (at: number) => `/scim/v2/Users/${ids[(at * 7_919) % ids.length]}`
    return (await sendAll(port, REQUESTS, (at) => `GET ${pathOf(at)}${rest}`)).p99
  }
  const found: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    found.ours.push(await read(ours))
    found.bare.push(await read(bare))
  }
  return { ours: found.ours.slice(1), bare: found.bare.slice(1) }
}
