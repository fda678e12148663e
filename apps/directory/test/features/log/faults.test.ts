import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { raw, renderSql, sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findRequests } from '../../../src/features/log/find-requests.ts'
import { createProvisioningLog } from '../../../src/features/log/provisioning-log.ts'
import { createRequestQueue } from '../../../src/features/log/request-queue.ts'
import type { NewRequest } from '../../../src/features/log/write-requests.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'provisioning-'))
const path = join(folder, 'directory.db')
let store: Store
let time = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  store = await openSqlite(path)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const LIMITS = { days: 30, rows: 1_000 }
const logOf = (over: Partial<Store> = {}, queue = { rows: 100, length: 100_000 }) =>
  createProvisioningLog({ store: { ...store, ...over }, now: () => time, queue, ...LIMITS })
const storedOf = async ({ tenantId }: Client) =>
  (await store.read((db) => findRequests(db, { tenantId, count: 1_000 }))).length
const sendMany = async ({ send }: Client, count: number) => {
  for (let at = 0; at < count; at += 1) expect((await send('GET', '/Users/none')).status).toBe(404)
}

describe('requests are answered, and are not logged or are logged later:', () => {
  it("while the database is gone, the last minute's requests are kept, and stored when it is back", async () => {
    let isGone = true
    const background: Store['background'] = (work) => {
      if (isGone) throw new StoreUnavailableError('gone')
      return store.background(work)
    }
    const log = logOf({ background })
    const client = await connect(store, { provisioning: log })
    await sendMany(client, 3)
    await log.flush()
    expect(log.counts()).toEqual({ waiting: 3, stored: 0, dropped: 0 })
    // The directory of `client` has the real time, which decides about the age of its requests.
    time = Date.now() + 70_000
    await log.flush()
    expect(log.counts()).toMatchObject({ stored: 0, dropped: 3 })
    time = Date.now()
    await sendMany(client, 2)
    isGone = false
    await log.flush()
    expect(log.counts()).toEqual({ waiting: 0, stored: 2, dropped: 3 })
    expect(await storedOf(client)).toBe(2)
    await log.close()
  })

  it("while one tenant's node is down, the other tenants' requests are logged", async () => {
    let down: string | null = null
    let attempts = 0
    const background: Store['background'] = (work) => {
      attempts += 1
      return store.background((db) =>
        work({
          exec: (statement) => {
            const { parameters } = renderSql(statement, 'sqlite')
            if (down === null || !parameters.includes(down)) return db.exec(statement)
            throw new StoreUnavailableError('the node is down')
          },
        }),
      )
    }
    const log = logOf({ background })
    const client = () => connect(store, { provisioning: log })
    const [first, other, last] = [await client(), await client(), await client()]
    down = other.tenantId
    for (const { send } of [first, other, last, other]) await send('GET', '/Users/none')
    await log.flush()
    expect(log.counts()).toEqual({ waiting: 2, stored: 2, dropped: 0 })
    expect([await storedOf(first), await storedOf(last)]).toEqual([1, 1])
    attempts = 0
    for (const { send } of [first, last]) await send('GET', '/Users/none')
    await log.flush()
    expect({ ...log.counts(), attempts }).toMatchObject({ waiting: 2, stored: 4, attempts: 1 })
    const later = performance.now() + 10_000
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later)
    down = null
    await log.flush()
    clock.mockRestore()
    expect([log.counts().waiting, await storedOf(other)]).toEqual([0, 2])
    await log.close()
  })

  it('while the database does not answer, the queue is bounded, and a tenant has half of it', async () => {
    let answer = (): void => undefined
    const silence = new Promise<void>((resolve) => {
      answer = resolve
    })
    const background: Store['background'] = async (work) => {
      await silence
      return await store.background(work)
    }
    const log = logOf({ background }, { rows: 10, length: 100_000 })
    const [busy, quiet] = [
      await connect(store, { provisioning: log }),
      await connect(store, { provisioning: log }),
    ]
    const flushed = log.flush()
    await sendMany(busy, 20)
    expect(log.counts()).toEqual({ waiting: 5, stored: 0, dropped: 15 })
    await sendMany(quiet, 3)
    expect(log.counts()).toEqual({ waiting: 8, stored: 0, dropped: 15 })
    answer()
    await flushed
    await log.flush()
    expect([await storedOf(busy), await storedOf(quiet)]).toEqual([5, 3])
    await log.close()
  })

  it('after a batch waited for the database, the next one is stored within seconds', async () => {
    let waited = 0
    const real = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + waited)
    const background: Store['background'] = async (work) => {
      waited = 29_000
      return await store.background(work)
    }
    const log = logOf({ background })
    const client = await connect(store, { provisioning: log })
    await sendMany(client, 1)
    await log.flush()
    clock.mockRestore()
    await sendMany(client, 1)
    await expect.poll(() => storedOf(client), { timeout: 10_000 }).toBe(2)
    await log.close()
  }, 15_000)

  it('while another process writes to the SQLite file, the log does not wait for it', async () => {
    const log = logOf()
    const client = await connect(store, { provisioning: log })
    await sendMany(client, 1)
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    const started = performance.now()
    await log.flush()
    // The other connections wait five seconds.
    expect(performance.now() - started).toBeLessThan(4_000)
    expect(log.counts()).toMatchObject({ waiting: 1, stored: 0 })
    await sendMany(client, 1)
    other.exec('rollback')
    other.close()
    await log.flush()
    expect(await storedOf(client)).toBe(2)
    await log.close()
  })

  it('requests are answered, and are not logged or are logged later if the disk is full', async () => {
    const log = logOf()
    const client = await connect(store, { provisioning: log })
    const pages = async (limit: number) =>
      await store.background((db) => db.exec(sql`pragma max_page_count = ${raw(String(limit))}`))
    await pages(1)
    await sendMany(client, 40)
    await log.flush()
    expect(log.counts()).toMatchObject({ waiting: 40, stored: 0 })
    await sendMany(client, 1)
    await pages(1_000_000_000)
    await log.flush()
    expect(await storedOf(client)).toBe(41)
    await log.close()
  })

  it('requests are answered, and are not logged or are logged later after the log is closed', async () => {
    const log = logOf()
    const client = await connect(store, { provisioning: log })
    await log.close()
    await sendMany(client, 1)
    expect(log.counts()).toEqual({ waiting: 0, stored: 0, dropped: 1 })
  })
})

it('requests are stored without a call, in answer order', async () => {
  const log = logOf()
  const client = await connect(store, { provisioning: log })
  await sendMany(client, 3)
  await expect.poll(() => storedOf(client)).toBe(3)
  await log.close()
})

it("a queue has a limit for the requests' length", () => {
  const row = (tenantId: string, length: number): NewRequest => ({
    tenantId,
    time: 0,
    status: 200,
    resourceId: null,
    userNameKey: null,
    exchange: null,
    entry: 'x'.repeat(length),
  })
  const queue = createRequestQueue({ rows: 100, length: 10_000 })
  expect(queue.add(row('a', 6_000))).toBe(false)
  expect(queue.add(row('a', 4_000))).toBe(true)
  expect(queue.add(row('a', 1_000))).toBe(false)
  expect(queue.add(row('b', 4_000))).toBe(true)
  expect(queue.add(row('c', 2_000))).toBe(false)
  expect(queue.size).toBe(2)
  queue.remove(queue.first(1))
  expect(queue.add(row('a', 4_000))).toBe(true)
  expect(queue.first(5).map(({ tenantId }) => tenantId)).toEqual(['b', 'a'])
})
