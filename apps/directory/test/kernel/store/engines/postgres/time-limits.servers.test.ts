import { raw, sql } from '@plumbline/scim/internal'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../../../src/kernel/store/database.ts'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import {
  ScanTimeoutError,
  type Store,
  StoreUnavailableError,
} from '../../../../../src/kernel/store/store.ts'

const LIMIT = 300

/** A store with a time limit for statements and scans. */
let limited: Store
/** A store whose time limits are not reached, with as many connections for scans as for other work. */
let store: Store
let server: pg.Client
beforeAll(async () => {
  const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
  if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
  limited = await openPostgres(url, { answerTimeout: LIMIT, scanTimeout: LIMIT })
  store = await openPostgres(url, { connections: 4, scanConnections: 4 })
  server = new pg.Client({ connectionString: url })
  await server.connect()
})
afterAll(async () => {
  await limited.close()
  await store.close()
  await server.end()
})

const sleep = (mark: string) => (db: Database) => db.exec(sql`select pg_sleep(60) as ${raw(mark)}`)
const one = (db: Database) => db.exec(sql`select 1 as one`)

/** Waits until the server does not run a statement with the mark. */
const ended = async (mark: string): Promise<void> => {
  const running = `select 1 from pg_stat_activity
    where state = 'active' and query like '%' || $1 || '%' and pid <> pg_backend_pid()`
  await expect.poll(async () => (await server.query(running, [mark])).rowCount).toBe(0)
}

it('PostgreSQL itself stops a read, a write and a scan over the time limit', async () => {
  const [read, write, scan] = await Promise.allSettled([
    limited.read(sleep('long_read')),
    limited.write(sleep('long_write')),
    limited.scan(sleep('long_scan')),
  ])
  expect(read).toMatchObject({ reason: expect.any(StoreUnavailableError) })
  expect(write).toMatchObject({ reason: expect.any(StoreUnavailableError) })
  expect(scan).toMatchObject({ reason: expect.any(ScanTimeoutError) })
  for (const mark of ['long_read', 'long_write', 'long_scan']) await ended(mark)
})

it('the time limit is reset after the transaction, so that pools may share connections', async () => {
  const { rows } = await server.query('show statement_timeout')
  expect(rows).toEqual([{ statement_timeout: '0' }])
  const setting = sql`select current_setting('statement_timeout') as current`
  expect(await limited.read((db) => db.exec(setting))).toMatchObject({
    rows: [{ current: `${LIMIT}ms` }],
  })
})

it('look-ups, writes and the health check do not wait for scans on PostgreSQL', async () => {
  const client = new AbortController()
  const scans = Array.from({ length: 20 }, () => store.scan(sleep('many_scans'), client))
  const left = Promise.allSettled(scans)
  await store.ping()
  await store.read(one)
  await store.write(one)
  client.abort()
  await left
})

it('one tenant cannot hold all connections for look-ups and writes on PostgreSQL', async () => {
  const client = new AbortController()
  const { signal } = client
  const reads = Array.from({ length: 20 }, () =>
    store.read(sleep('many_reads'), { signal, tenantId: 'hostile' }),
  )
  const left = Promise.allSettled(reads)
  await store.ping()
  await store.read(one, { tenantId: 'other' })
  await store.write(one, { tenantId: 'other' })
  client.abort()
  await left
})

it('all connections in a pool count as used while their statements hang', async () => {
  const client = new AbortController()
  const scans = Array.from({ length: 20 }, () => store.scan(sleep('hanging_scans'), client))
  const left = Promise.allSettled(scans)
  // The alert DirectoryConnectionsUsed compares these numbers.
  const load = () => store.load().connections.find(({ name }) => name === 'scans')
  await expect.poll(load).toMatchObject({ running: 4, limit: 4 })
  client.abort()
  await left
})
