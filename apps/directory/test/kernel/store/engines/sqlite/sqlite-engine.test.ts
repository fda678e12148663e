import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { raw, sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTenant } from '../../../../../src/features/tenants/store.ts'
import type { Database } from '../../../../../src/kernel/store/database.ts'
import { openSqlite } from '../../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { openConnection } from '../../../../../src/kernel/store/engines/sqlite/sqlite-connection.ts'
import { openFile } from '../../../../../src/kernel/store/engines/sqlite/sqlite-file.ts'
import { type Store, StoreUnavailableError } from '../../../../../src/kernel/store/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
afterAll(() => rmSync(folder, { recursive: true }))

const newPath = () => join(folder, `${crypto.randomUUID()}.db`)

const countTenants = async (db: Database): Promise<number> => {
  const { rows = [] } = await db.exec(sql`select count(*) as count from tenants`)
  return Number(rows[0]?.count)
}
const addTenant = (db: Database) =>
  createTenant(db, { id: crypto.randomUUID(), name: 't', created_at: 0 })

/** Work that waits until it is released, and the promise that it has begun. */
function paused<Value>(work: (db: Database) => Promise<Value>) {
  let begin = (): void => undefined
  let release = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    begun,
    release: () => release(),
    work: async (db: Database): Promise<Value> => {
      const value = await work(db)
      begin()
      await released
      return value
    },
  }
}

describe('a SQLite file', () => {
  let store: Store
  const path = newPath()
  beforeAll(async () => {
    store = await openSqlite(path, { busyTimeout: 0 })
  })

  it('a file is read while a write is running, and written while a read is running', async () => {
    const before = await store.read(countTenants)
    const write = paused(addTenant)
    const written = store.write(write.work)
    await write.begun
    expect(await store.read(countTenants)).toBe(before)
    await store.ping()
    write.release()
    await written
    const read = paused(countTenants)
    const counted = store.read(read.work)
    await read.begun
    await store.write(addTenant)
    read.release()
    expect(await counted).toBe(before + 1)
  })

  it('a file is closed after the running reads and writes', async () => {
    const own = await openSqlite(path)
    const before = await own.read(countTenants)
    const write = paused(addTenant)
    const read = paused(countTenants)
    const ends = Promise.all([own.write(write.work), own.read(read.work)])
    await Promise.all([write.begun, read.begun])
    let isClosed = false
    const closed = own.close().then(() => {
      isClosed = true
    })
    read.release()
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    expect(isClosed).toBe(false)
    write.release()
    const [, count] = await ends
    expect(count).toBe(before)
    await closed
    expect(await store.read(countTenants)).toBe(before + 1)
  })

  it('a file is closed with the threads of its scans', async () => {
    const ownPath = newPath()
    const own = await openSqlite(ownPath)
    await Promise.all([own.scan(countTenants), own.scan(countTenants)])
    await own.close()
    // SQLite deletes the log with the last connection.
    expect(existsSync(`${ownPath}-wal`)).toBe(false)
  })

  it('a file is closed after the running scans, and does not start others', async () => {
    const own = await openSqlite(newPath())
    const scan = paused(countTenants)
    const counted = own.scan(scan.work)
    await scan.begun
    let isClosed = false
    const closed = own.close().then(() => {
      isClosed = true
    })
    await expect(own.scan(countTenants)).rejects.toThrow('the database is closed')
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    expect(isClosed).toBe(false)
    scan.release()
    expect(await counted).toBe(0)
    await closed
  })

  it('a file is locked from the start of a writing transaction', async () => {
    const other = new DatabaseSync(path)
    type Run = (work: (db: Database) => Promise<undefined>) => Promise<unknown>
    const during = async (run: Run, check: () => void): Promise<void> => {
      const work = paused(async () => undefined)
      const ended = run(work.work)
      await work.begun
      check()
      work.release()
      await ended
    }
    const lock = (): void => other.exec('begin immediate; rollback')
    await during(store.write, () => expect(lock).toThrow('locked'))
    await during(store.background, () => expect(lock).toThrow('locked'))
    await during(store.read, lock)
    other.close()
  })

  it('a file is not ready after the tables were dropped', async () => {
    const own = await openSqlite(newPath())
    await own.ping()
    await own.write((db) => db.exec(sql`drop table migrations`))
    await expect(own.ping()).rejects.toThrow()
    await own.close()
  })

  it('a file that another process writes to is busy, which a retry may resolve', async () => {
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    const busy = store.write(addTenant)
    await expect(busy).rejects.toEqual(new StoreUnavailableError('the database is busy'))
    other.exec('rollback')
    other.close()
    await store.write(addTenant)
    const wrong = store.write((db) => db.exec(sql`select nothing from nowhere`))
    await expect(wrong).rejects.not.toBeInstanceOf(StoreUnavailableError)
  })

  it('a file reopens its connections after many statements, and keeps the tables', async () => {
    const close = vi.spyOn(DatabaseSync.prototype, 'close')
    const before = await store.read(countTenants)
    for (let at = 0; at < 30; at += 1) await store.read((db) => db.exec(longStatement(at)))
    expect(close).toHaveBeenCalledTimes(1)
    expect(await store.read(countTenants)).toBe(before)
    close.mockRestore()
  })

  it('a file is closed, with the log, if it cannot be used', async () => {
    await store.write((db) =>
      db.exec(sql`
        insert into migrations (id, name, checksum, batch)
        values (${'29991231000000'}, ${'from_the_future'}, ${'x'}, 2)`),
    )
    await store.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    await expect(openSqlite(path)).rejects.toThrow(
      'a newer version of the directory has migrated the database (29991231000000)',
    )
    expect(existsSync(`${path}-wal`)).toBe(false)
  })
})

it('a SQLite database in memory keeps the tables, however many statements it runs', async () => {
  const store = await openSqlite(':memory:')
  await store.write(addTenant)
  for (let at = 0; at < 60; at += 1) await store.write((db) => db.exec(longStatement(at)))
  expect(await store.read(countTenants)).toBe(1)
  expect(await store.scan(countTenants)).toBe(1)
  await store.close()
})

/** A statement of 10,000 characters. */
const longStatement = (at: number) => raw(`select ${at}`.padEnd(10_000))

describe('a connection to a SQLite file', () => {
  const pragmas = (database: DatabaseSync, ...names: readonly string[]) =>
    names.map((name) => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0])

  it('a writing connection syncs each commit, checks foreign keys and limits the log', () => {
    const database = openFile(newPath(), { busyTimeout: 7, cache: 1_234 })
    expect(pragmas(database, 'journal_mode', 'synchronous', 'foreign_keys')).toEqual(['wal', 2, 1])
    const limits = pragmas(database, 'journal_size_limit', 'cache_size', 'busy_timeout')
    expect(limits).toEqual([32 * 2 ** 20, -1_234, 7])
    expect(database.prepare(`select 'a' like 'A' as found`).get()).toEqual({ found: 0 })
    database.close()
  })

  it('a read-only connection cannot write', () => {
    const path = newPath()
    openFile(path, { busyTimeout: 0, cache: 1_024 }).close()
    const database = openFile(path, { busyTimeout: 0, cache: 1_024, readOnly: true })
    expect(() => database.exec('create table a (b)')).toThrow('readonly')
    expect(database.prepare(`select 'a' like 'A' as found`).get()).toEqual({ found: 0 })
    database.close()
  })

  it('a connection fails if another process keeps a new file locked', () => {
    const path = newPath()
    const other = new DatabaseSync(path)
    other.exec('create table a (b); begin exclusive')
    expect(() => openFile(path, { busyTimeout: 30, cache: 1_024 })).toThrow('locked')
    other.exec('rollback')
    openFile(path, { busyTimeout: 30, cache: 1_024 }).close()
    other.close()
  })
})

describe("a connection's prepared statements", () => {
  const open = () => {
    let opened = 0
    const connection = openConnection(() => {
      opened += 1
      return new DatabaseSync(':memory:')
    })
    const prepare = connection.preparing((statement) => statement)
    return { connection, prepare, countOpened: () => opened }
  }
  const text = (name: string, length: number) => `select '${name}'`.padEnd(length)

  it('prepared statements are cached if they have at most 2,000 characters', () => {
    const { prepare } = open()
    expect(prepare(text('a', 2_000))).toBe(prepare(text('a', 2_000)))
    expect(prepare(text('a', 2_001))).not.toBe(prepare(text('a', 2_001)))
  })

  it('prepared statements are 500 at most, without the oldest', () => {
    const { prepare } = open()
    const all = Array.from({ length: 500 }, (_, at) => prepare(text(`${at}`, 20)))
    expect(prepare(text('0', 20))).toBe(all[0])
    prepare(text('more', 20))
    expect(prepare(text('1', 20))).toBe(all[1])
    expect(prepare(text('0', 20))).not.toBe(all[0])
  })

  it('prepared statements have 250,000 characters in total before the connection is reopened', () => {
    const { connection, prepare, countOpened } = open()
    prepare(text('a', 250_000))
    connection.renewIfDue()
    expect(countOpened()).toBe(1)
    prepare(text('b', 10))
    connection.renewIfDue()
    expect(countOpened()).toBe(2)
    connection.renewIfDue()
    expect(countOpened()).toBe(2)
  })
})
