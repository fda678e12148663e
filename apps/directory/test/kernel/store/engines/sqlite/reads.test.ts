import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../../../src/features/tenants/store.ts'
import type { Database } from '../../../../../src/kernel/store/database.ts'
import { SLICE } from '../../../../../src/kernel/store/engines/loop-turns.ts'
import { openSqlite } from '../../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../../../src/kernel/store/store.ts'

describe('SQLite reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  let store: Store
  beforeAll(async () => {
    store = await openSqlite(join(folder, 'directory.db'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const countTenants = async (db: Database): Promise<number> => {
    const { rows = [] } = await db.exec(sql`select count(*) as count from tenants`)
    return Number(rows[0]?.count)
  }

  it('reads see every write completed before they started', async () => {
    for (let count = 1; count <= 50; count += 1) {
      const early = store.read(countTenants)
      await store.write((db) => createTenant(db, { id: `t${count}`, name: 't', created_at: 0 }))
      const late = [store.read(countTenants), store.read(countTenants)]
      expect(await early).toBeGreaterThanOrEqual(count - 1)
      expect(await Promise.all(late)).toEqual([count, count])
    }
  })

  it('reads do not make other reads fail if they fail', async () => {
    const reads = [
      store.read(countTenants),
      store.read((db) => db.exec(sql`select nothing from nowhere`)),
      store.read(() => Promise.reject(new Error('of its own'))),
      store.read(countTenants, { signal: AbortSignal.abort() }),
      store.read(countTenants),
    ]
    const outcomes = await Promise.allSettled(reads)
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ])
  })

  it.each([
    ['and the reads after it are in the same turn', 0],
    ['and the reads after it wait for the next turn', 2 * SLICE],
  ])('reads settle even if a disk error ends their shared transaction, %s', async (_, time) => {
    // https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
    const fault = Object.assign(new Error('disk I/O error'), { errcode: 10 })
    const outcomes = await Promise.allSettled([
      store.read(countTenants),
      store.read(async (db) => {
        await db.exec(sql`rollback`)
        const end = performance.now() + time
        while (performance.now() < end);
        throw fault
      }),
      store.read(countTenants),
    ])
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 50 },
      { status: 'rejected', reason: fault },
      { status: 'fulfilled', value: 50 },
    ])
    expect(await store.read(countTenants)).toBe(50)
  })

  it('reads finish before the database is closed', async () => {
    const last = store.read(countTenants)
    await store.close()
    expect(await last).toBe(50)
  })
})
