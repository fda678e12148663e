import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { vi } from 'vitest'
import type { FreshDatabase } from './fresh-postgres.ts'
import { asPostgres, killServer, signalServer } from './postgres-cluster.ts'

/** The coordinator of a Citus cluster; undefined if the variable is not set. */
export const CITUS_URL = process.env.PLUMBLINE_TEST_CITUS_URL || undefined

/** The title of tests on the cluster. Without it, they are skipped by this name. */
export const ON_CITUS = 'on the Citus cluster of PLUMBLINE_TEST_CITUS_URL'

/** An empty database on each node of the cluster, which know each other. */
export interface CitusDatabase extends FreshDatabase {
  /** The addresses of the workers. */
  readonly workers: readonly string[]
}

/** Creates a database on the coordinator and on each worker. */
export async function createCitusDatabase(): Promise<CitusDatabase> {
  const name = `fresh_${crypto.randomUUID().replaceAll('-', '')}`
  const cluster = await connected(CITUS_URL ?? '')
  const { rows } = await cluster.query(
    'select nodename as host, nodeport as port, groupid as number from pg_dist_node order by 3',
  )
  await cluster.end()
  const [coordinator, ...workers] = rows
  const addressOf = ({ host, port }: (typeof rows)[number], database: string) => {
    const url = new URL(CITUS_URL ?? '')
    return Object.assign(url, { hostname: host, port, pathname: `/${database}` }).href
  }
  for (const node of rows) {
    await once(addressOf(node, 'postgres'), `create database ${name}`)
    await once(addressOf(node, name), 'create extension citus')
  }
  const client = await connected(addressOf(coordinator, name))
  const { host, port } = coordinator
  await client.query('select citus_set_coordinator_host($1, $2)', [host, port])
  for (const worker of workers) {
    await client.query('select citus_add_node($1, $2)', [worker.host, worker.port])
  }
  return {
    url: addressOf(coordinator, name),
    client,
    workers: workers.map((worker) => addressOf(worker, name)),
    drop: async () => {
      await client.end()
      for (const node of rows) {
        await once(addressOf(node, 'postgres'), `drop database ${name} with (force)`)
      }
    },
  }
}

/**
 * Logs the statements of a database that go to more than one shard, from the next connection on. Returns a function that
 * reads them from the log of the coordinator.
 */
export async function logSpreadStatements({ client }: CitusDatabase): Promise<() => string[]> {
  const { rows } = await client.query('select current_database() as name')
  await client.query(`alter database ${rows[0].name} set citus.multi_task_query_log_level = log`)
  const path = process.env.PLUMBLINE_TEST_CITUS_LOG ?? ''
  const read = () => readFileSync(path, 'utf8')
  const { length } = read()
  return () => spreadStatements(read().slice(length))
}

/** The statements below the messages, each of which may have several lines. */
function spreadStatements(log: string): string[] {
  const found = log.matchAll(
    /multi-task query about to be executed\n(?:.*HINT: .*\n)?.*STATEMENT: {2}(.*(?:\n\t.*)*)/g,
  )
  return [...found].map(([, text = '']) => text.replaceAll(/\s+/g, ' '))
}

/** Kills a worker by SIGKILL, and returns a function that starts it again. */
export async function stopWorker(url: string): Promise<() => Promise<void>> {
  const { programs, data } = await foldersOf(url)
  killServer(data)
  return async () => {
    const options = ['-D', data, '-l', `${data}.log`, '-w', '-s', 'start']
    const start = () =>
      promisify(execFile)(...asPostgres(join(programs, 'pg_ctl'), ...options), { cwd: tmpdir() })
    // The memory of the killed processes is released a little later.
    await vi.waitFor(start, { timeout: 30_000, interval: 500 })
  }
}

/** Stops a worker's processes by SIGSTOP, as if its machine hung, and returns a function that lets them go on. */
export async function freezeWorker(url: string): Promise<() => void> {
  const { data } = await foldersOf(url)
  signalServer(data, 'SIGSTOP')
  return () => signalServer(data, 'SIGCONT')
}

async function foldersOf(url: string) {
  const [worker] = await once(
    url,
    `select setting as programs, current_setting('data_directory') as data
     from pg_config where name = 'BINDIR'`,
  )
  return { programs: String(worker?.programs), data: String(worker?.data) }
}

/** Runs one statement, and returns its rows. */
async function once(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = await connected(url)
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}
