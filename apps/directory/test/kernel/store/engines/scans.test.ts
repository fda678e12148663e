import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { raw, sql } from '@plumbline/scim/internal'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTenant } from '../../../../src/features/tenants/store.ts'
import type { Database } from '../../../../src/kernel/store/database.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { faultOf } from '../../../../src/kernel/store/faults.ts'
import {
  ScanTimeoutError,
  type Store,
  StoreUnavailableError,
} from '../../../../src/kernel/store/store.ts'
import { addUsers, ENDLESS } from '../../../contract/scans.ts'
import { connect, PATIENT } from '../../../support/harness.ts'

/** Reads the same users again and again without a match. */
const ENDLESS_LIKE = sql`
  with recursive n (i) as (select 1 union all select 1 from n)
  select id from n cross join users where user_name_key like '%unknown%' limit 1`

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

describe('a SQLite scan', () => {
  it('a scan blocks neither reads nor writes, nor the next scans after it is stopped', async () => {
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

  it('a scan waiting for a thread is rejected when the client hangs up', async () => {
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

  it('a scan is stopped even if no row matches', async () => {
    const client = new AbortController()
    const statements: Promise<unknown>[] = []
    const scan = store.scan(async (db) => {
      // The second statement would end by itself: it starts after the abort, and must check for that.
      statements.push(db.exec(ENDLESS_LIKE), db.exec(sql`select id from users where id like '%x'`))
      void setTimeout(50).then(() => client.abort(reason))
      await Promise.all(statements)
    }, client)
    await expect(scan).rejects.toBe(reason)
    const ends = await Promise.allSettled(statements)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(ends[0]).toMatchObject({ reason: { message: 'the scan was stopped' } })
  })

  it('a scan without a statement keeps its thread', async () => {
    await store.scan(async () => undefined)
    await store.scan(countUsers)
    expect(await store.scan(countUsers)).toBe(32)
    expect(threads).toHaveLength(1)
  })

  it('a scan reopens the connection after many statements, and then hides new tables as well', async () => {
    const countViews = async (db: Database) => {
      const { rows = [] } = await db.exec(
        sql`select count(*) as count from temp.sqlite_schema where type = 'view'`,
      )
      return Number(rows[0]?.count)
    }
    const before = await store.scan(countViews)
    await store.write((db) => db.exec(sql`create table more (id text)`))
    expect(await store.scan(countViews)).toBe(before)
    for (let at = 0; at < 30; at += 1) {
      await store.scan((db) => db.exec(raw(`select ${at}`.padEnd(10_000))))
    }
    expect(await store.scan(countViews)).toBe(before + 1)
    expect(threads).toHaveLength(1)
  })

  it('a scan is stopped between statements', async () => {
    const client = new AbortController()
    const scan = store.scan(async (db) => {
      await db.exec(sql`select 1 as one`)
      client.abort(reason)
      return await db.exec(sql`select 1 as one`)
    }, client)
    await expect(scan).rejects.toBe(reason)
  })

  it("another scan's client does not stop a scan", async () => {
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

  it('a scan is stopped even if no rowid is a multiple of 16', async () => {
    await store.write((db) => db.exec(sql`delete from users where rowid % 16 = 0`))
    const client = new AbortController()
    const scan = endless(client.signal)
    await store.read(countUsers)
    client.abort(reason)
    await expect(scan).rejects.toBe(reason)
  })

  it('a scan is stopped at the time limit, and so are the scans waiting for it', async () => {
    const impatient = await openSqlite(path, { scanTimeout: 300 })
    const scans = Array.from({ length: 4 }, () => impatient.scan((db) => db.exec(ENDLESS)))
    for (const end of await Promise.allSettled(scans)) {
      expect(end).toMatchObject({ reason: expect.any(ScanTimeoutError) })
    }
    expect(await impatient.scan(countUsers)).toBe(32)
    await impatient.close()
  })

  it('a scan keeps the process alive only while it runs', async () => {
    await store.scan(countUsers)
    const [thread] = threads
    if (thread === undefined) throw new Error('the first scan starts a thread')
    const ref = vi.spyOn(thread, 'ref')
    const unref = vi.spyOn(thread, 'unref')
    const callsOf = () => [ref, unref].map(({ mock }) => mock.calls.length)
    expect(await store.scan(async () => callsOf())).toEqual([1, 0])
    expect(callsOf()).toEqual([1, 1])
    await expect(store.scan(() => Promise.reject(reason))).rejects.toBe(reason)
    expect(callsOf()).toEqual([2, 2])
    // A process that closes its database waits for the thread.
    await store.close()
    expect(callsOf()).toEqual([3, 2])
    store = await openSqlite(path, PATIENT)
  })

  it('a scan fails with an error that faultOf classifies', async () => {
    const failed = store.scan((db) => db.exec(sql`create table main.more (id text)`))
    // https://sqlite.org/rescode.html#readonly
    expect(faultOf(await failed.catch((error: unknown) => error))).toBe('unavailable')
  })
})

describe('the SQLite write-ahead log', () => {
  it('the write-ahead log does not grow without limit while a scan is always active', async () => {
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
      // Each scan starts before the previous one ends, unless it must wait for its end.
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

describe('a dying thread', () => {
  it('a dying thread fails the scan, and the next scan uses a new thread', async () => {
    const scan = store.scan(async (db) => {
      await countUsers(db)
      await Promise.all([db.exec(ENDLESS), threads[0]?.terminate()])
    })
    await expect(scan).rejects.toBeInstanceOf(StoreUnavailableError)
    expect(await store.scan(countUsers)).toBe(32)
    expect(threads).toHaveLength(2)
  })

  it('a thread that died between two statements fails the next one', async () => {
    const scan = store.scan(async (db) => {
      await countUsers(db)
      await threads[0]?.terminate()
      return await countUsers(db)
    })
    await expect(scan).rejects.toBeInstanceOf(StoreUnavailableError)
  })

  it('a thread that died because the file was deleted means that the database is unavailable', async () => {
    const gone = await openSqlite(join(folder, 'gone.db'))
    rmSync(join(folder, 'gone.db'))
    for (const _ of [1, 2, 3]) {
      await expect(gone.scan(countUsers)).rejects.toBeInstanceOf(StoreUnavailableError)
    }
    // The log shows the error of the thread.
    await expect(gone.scan(countUsers)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('unable to open database file') },
    })
    await gone.close()
  })
})

describe('a closed database', () => {
  it('a closed database waits for the active scans, and removes the log file', async () => {
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
    // The last connection that is closed deletes the log.
    expect(existsSync(path)).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
    await expect(store.scan(countUsers)).rejects.toThrow('closed')
    store = await openSqlite(path, PATIENT)
  })

  it('a process exits without closing the database, and waits only for its scans', async () => {
    const sqlite = new URL('../../../../src/kernel/store/engines/sqlite/sqlite.ts', import.meta.url)
    const script = `
      import { sql } from '@plumbline/scim/internal'
      const { openSqlite } = await import(${JSON.stringify(sqlite.href)})
      const store = await openSqlite(${JSON.stringify(path)})
      const { rows } = await store.scan((db) => db.exec(sql\`select count(*) as count from users\`))
      console.log(JSON.stringify(rows))`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@plumbline/source', '--input-type=module', '--eval', script],
      { cwd: new URL('../../../..', import.meta.url) },
    )
    expect(JSON.parse(stdout)).toEqual([{ count: 32 }])
  })
})
