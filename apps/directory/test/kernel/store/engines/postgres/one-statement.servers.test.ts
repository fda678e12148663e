import { sql } from '@plumbline/scim/internal'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../../src/kernel/store/database.ts'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import { type Store, StoreUnavailableError } from '../../../../../src/kernel/store/store.ts'

let store: Store
let server: pg.Client
const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
beforeAll(async () => {
  if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
  // One connection, so that a test sees what the one before left behind.
  store = await openPostgres(url, { connections: 1 })
  server = new pg.Client({ connectionString: url })
  await server.connect()
})
afterAll(async () => {
  await store.close()
  await server.end()
})

const ONE = { isOneStatement: true }
const isolation = async (db: Database): Promise<unknown> => {
  const { rows = [] } = await db.exec(sql`select current_setting('transaction_isolation') i`)
  return Object(rows[0]).i
}

describe('a single-statement read on PostgreSQL', () => {
  it('a single-statement read runs without a transaction, and other reads in one', async () => {
    expect(await store.read(isolation, ONE)).toBe('read committed')
    expect(await store.read(isolation)).toBe('repeatable read')
    expect(await store.read(isolation, ONE)).toBe('read committed')
  })

  it('a single-statement read starts again in a transaction if it asks for a second statement', async () => {
    const seen: unknown[] = []
    const twice = async (db: Database) => {
      for (let at = 0; at < 2; at += 1) seen.push(await isolation(db))
      return 'done'
    }
    expect(await store.read(twice, ONE)).toBe('done')
    expect(seen).toEqual(['read committed', 'repeatable read', 'repeatable read'])
  })

  it("a single-statement read starts again even if the work ignores the second statement's rejection", async () => {
    const both = async (db: Database) => {
      const results = await Promise.allSettled([isolation(db), isolation(db)])
      return results.map((result) => Object(result).value)
    }
    expect(await store.read(both, ONE)).toEqual(['repeatable read', 'repeatable read'])
  })

  it('a failing single-statement read keeps the connection usable', async () => {
    const fail = (db: Database) => db.exec(sql`select nothing from nowhere`)
    await expect(store.read(fail, ONE)).rejects.toThrow()
    const failAfter = async (db: Database) => {
      await isolation(db)
      throw new RangeError('of the work')
    }
    await expect(store.read(failAfter, ONE)).rejects.toThrow(new RangeError('of the work'))
    expect(await store.read(isolation, ONE)).toBe('read committed')
  })

  it('a single-statement read does not start if the client has hung up, and stops if it hangs up later', async () => {
    await expect(store.read(isolation, { ...ONE, signal: AbortSignal.abort() })).rejects.toThrow()
    const client = new AbortController()
    const options = { ...ONE, signal: client.signal }
    const left = store.read((db) => db.exec(sql`select pg_sleep(60)`), options)
    setTimeout(() => client.abort(), 50)
    await expect(left).rejects.toThrow()
    expect(await store.read(isolation, ONE)).toBe('read committed')
  })

  it('a single-statement read waiting too long for a lock is stopped on the server', async () => {
    const limited = await openPostgres(String(url), { answerTimeout: 100 })
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await server.query('create table if not exists blocked_read (id text)')
    await other.query('begin; lock table blocked_read in access exclusive mode')
    const blocked = limited.read((db) => db.exec(sql`select id from blocked_read`), ONE)
    await expect(blocked).rejects.toThrow(StoreUnavailableError)
    const running = `select 1 from pg_stat_activity where query = 'select id from blocked_read'
      and state = 'active'`
    await expect.poll(async () => (await server.query(running)).rowCount).toBe(0)
    await other.end()
    await server.query('drop table blocked_read')
    expect(await limited.read(isolation, ONE)).toBe('read committed')
    await limited.close()
  })
})
