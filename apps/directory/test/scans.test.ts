import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { type Database, rawSql, sql } from '@remix-run/data-table'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import { faultOf } from '../src/store/faults.ts'
import { ScanTimeoutError, type Store, StoreUnavailableError } from '../src/store/store.ts'
import { createTenant } from '../src/store/tokens.ts'
import { addUsers, ENDLESS } from './contract/scans.ts'
import { connect, PATIENT } from './harness.ts'

/** Goes over and over the same users, none of whom matches. */
const ENDLESS_LIKE = rawSql(`
  with recursive n (i) as (select 1 union all select 1 from n)
  select id from n cross join users where user_name_key like '%nobody%' limit 1`)

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
const reason = new Error('the client hung up')
let path: string
let store: Store
/** The threads that this process has started. */
const threads: Worker[] = []
const note = (worker: Worker) => threads.push(worker)
beforeEach(async () => {
  threads.length = 0
  process.on('worker', note)
  path = join(folder, `${crypto.randomUUID()}.db`)
  store = await openSqlite(path, PATIENT)
  await addUsers(await connect(store))
})
afterEach(async () => {
  process.off('worker', note)
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const countUsers = async (db: Database): Promise<number> => {
  const { rows = [] } = await db.exec(sql`select count(*) as count from users`)
  return Number(rows[0]?.count)
}
const endless = (signal: AbortSignal) => store.scan((db) => db.exec(ENDLESS), { signal })

describe('a scan of SQLite', () => {
  it('keeps neither reads nor writes waiting, nor the scans that come when it is stopped', async () => {
    const clients = [new AbortController(), new AbortController()]
    const left = Promise.allSettled(clients.map(({ signal }) => endless(signal)))
    const waits = store.scan(countUsers)
    expect(await store.read(countUsers)).toBe(32)
    await store.write((db) => createTenant(db, { id: 'while', name: 't', created_at: 0 }))
    clients[0]?.abort(reason)
    expect(await waits).toBe(32)
    clients[1]?.abort(reason)
    const rejected = { status: 'rejected', reason }
    expect(await left).toEqual([rejected, rejected])
    expect(threads).toHaveLength(2)
  })

  it('that waits for a thread waits no longer than its client', async () => {
    const clients = [new AbortController(), new AbortController()]
    const left = Promise.allSettled(clients.map(({ signal }) => endless(signal)))
    const client = new AbortController()
    const waits = endless(client.signal)
    client.abort(reason)
    await expect(waits).rejects.toBe(reason)
    for (const other of clients) other.abort(reason)
    await left
    expect(await store.scan(countUsers)).toBe(32)
  })

  it('is stopped though no row matches', async () => {
    const client = new AbortController()
    const statements: Promise<unknown>[] = []
    const scan = store.scan(async (db) => {
      // The second ends by itself: it is begun with nobody waiting for it, and has to see that.
      statements.push(db.exec(ENDLESS_LIKE), db.exec(sql`select id from users where id like 'x'`))
      void setTimeout(50).then(() => client.abort(reason))
      await Promise.all(statements)
    }, client)
    await expect(scan).rejects.toBe(reason)
    const ends = await Promise.allSettled(statements)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('is stopped between statements, whatever they would have read', async () => {
    const client = new AbortController()
    const scan = store.scan(async (db) => {
      await db.exec(sql`select 1 as one`)
      client.abort(reason)
      return await db.exec(sql`select 1 as one`)
    }, client)
    await expect(scan).rejects.toBe(reason)
  })

  it('is not stopped by whoever waited for another', async () => {
    const client = new AbortController()
    expect(await store.scan(countUsers, client)).toBe(32)
    const next = store.scan(async (db) => {
      client.abort(reason)
      return await countUsers(db)
    })
    expect(await next).toBe(32)
    const stopped = new AbortController()
    const scan = endless(stopped.signal)
    stopped.abort(reason)
    await expect(scan).rejects.toBe(reason)
    expect(await store.scan(countUsers)).toBe(32)
    expect(threads).toHaveLength(1)
  })

  it('is stopped at any row, also where none has a number that 16 divides', async () => {
    await store.write((db) => db.exec(sql`delete from users where rowid % 16 = 0`))
    const client = new AbortController()
    const scan = endless(client.signal)
    await store.read(countUsers)
    client.abort(reason)
    await expect(scan).rejects.toBe(reason)
  })

  it('is stopped when it takes too long, and so are those that wait for it', async () => {
    const impatient = await openSqlite(path, { scanTimeout: 300 })
    const scans = Array.from({ length: 4 }, () => impatient.scan((db) => db.exec(ENDLESS)))
    for (const end of await Promise.allSettled(scans)) {
      expect(end).toMatchObject({ reason: expect.any(ScanTimeoutError) })
    }
    expect(await impatient.scan(countUsers)).toBe(32)
    await impatient.close()
  })

  it('fails with what faults are told by', async () => {
    const failed = store.scan((db) => db.exec(rawSql('create table main.more (id text)')))
    // https://sqlite.org/rescode.html#readonly
    expect(faultOf(await failed.catch((error: unknown) => error))).toBe('unavailable')
  })
})

describe('the log that SQLite writes ahead', () => {
  it('does not grow without end where there is a scan under way all the time', async () => {
    const scans: Promise<number>[] = []
    let end = (): void => undefined
    for (let megabytes = 0; megabytes < 150; megabytes += 1) {
      const endBefore = end
      const isBegun = new Promise<void>((begun) => {
        const ended = new Promise<void>((resolve) => {
          end = resolve
        })
        const scan = store.scan(async (db) => {
          const count = await countUsers(db)
          begun()
          await ended
          return count
        })
        scans.push(scan)
      })
      // It is begun before the one before it ends, unless it has to wait for that.
      await Promise.race([isBegun, setTimeout(50)])
      const value = String(megabytes % 10).repeat(2 ** 20)
      await store.write((db) =>
        db.exec(sql`
          insert into settings (name, value) values (${'large'}, ${value})
          on conflict (name) do update set value = excluded.value`),
      )
      endBefore()
    }
    end()
    expect(await Promise.all(scans)).toEqual(scans.map(() => 32))
    expect(statSync(`${path}-wal`).size).toBeLessThan(100 * 2 ** 20)
  })
})

describe('a thread that dies', () => {
  it('fails its scan, and the next one gets another', async () => {
    const scan = store.scan(async (db) => {
      await countUsers(db)
      await Promise.all([db.exec(ENDLESS), threads[0]?.terminate()])
    })
    await expect(scan).rejects.toBeInstanceOf(StoreUnavailableError)
    expect(await store.scan(countUsers)).toBe(32)
    expect(threads).toHaveLength(2)
  })

  it('does so at the next statement where it died between two', async () => {
    const scan = store.scan(async (db) => {
      await countUsers(db)
      await threads[0]?.terminate()
      return await countUsers(db)
    })
    await expect(scan).rejects.toBeInstanceOf(StoreUnavailableError)
  })

  it('because there is no file any more is a database that is away', async () => {
    const gone = await openSqlite(join(folder, 'gone.db'))
    rmSync(join(folder, 'gone.db'))
    for (const _ of [1, 2, 3]) {
      await expect(gone.scan(countUsers)).rejects.toBeInstanceOf(StoreUnavailableError)
    }
    await gone.close()
  })
})

describe('a database that is closed', () => {
  it('waits for the scans under way, and is left as it should be', async () => {
    const client = new AbortController()
    const scans = Promise.allSettled([endless(client.signal), endless(client.signal)])
    const waits = store.scan(countUsers)
    let isClosed = false
    const closed = store.close().then(() => {
      isClosed = true
    })
    await store.read(countUsers)
    expect(isClosed).toBe(false)
    client.abort(reason)
    const rejected = { status: 'rejected', reason }
    expect(await scans).toEqual([rejected, rejected])
    expect(await waits).toBe(32)
    await closed
    // The last connection to leave takes the log with it.
    expect(existsSync(path)).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
    await expect(store.scan(countUsers)).rejects.toThrow('closed')
    store = await openSqlite(path, PATIENT)
  })

  it('need not be closed for the process to end, but not before its scans', async () => {
    const sqlite = new URL('../src/store/engines/sqlite/sqlite.ts', import.meta.url)
    const script = `
      import { rawSql } from '@remix-run/data-table'
      const { openSqlite } = await import(${JSON.stringify(sqlite.href)})
      const store = await openSqlite(${JSON.stringify(path)})
      const { rows } = await store.scan((db) => db.exec(rawSql('select count(*) as count from users')))
      console.log(JSON.stringify(rows))`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=source', '--input-type=module', '--eval', script],
      { cwd: new URL('..', import.meta.url) },
    )
    expect(JSON.parse(stdout)).toEqual([{ count: 32 }])
  })
})
