import { sql } from '@plumbline/scim/internal'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../src/features/tenants/store.ts'
import type { Database } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

/** Runs until it is stopped. */
export const ENDLESS = sql`
  with recursive n (i) as (select 1 union all select 1 from n)
  select count(*) as count from n cross join tenants`

/** Creates a few users: the check that stops a scan runs at some of the rows. */
export async function addUsers({ send }: Client, count = 32): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    expect((await send('POST', '/Users', { userName: `user-${at}` })).status).toBe(201)
  }
}

/** The behaviour of scans on every store. */
export function scanContract(storeOf: () => Store): void {
  let client: Client
  beforeAll(async () => {
    client = await connect(storeOf())
    await addUsers(client)
  })

  const reason = new Error('the client hung up')
  const tenants = async (db: Database): Promise<number> => {
    const { rows = [] } = await db.exec(
      sql`select count(*) as count from tenants where name = ${'scanned'}`,
    )
    return Number(rows[0]?.count)
  }
  const addTenant = () =>
    storeOf().write((db) =>
      createTenant(db, { id: crypto.randomUUID(), name: 'scanned', created_at: 0 }),
    )

  it('scans see one snapshot, with every write completed before', async () => {
    const before = await storeOf().scan(tenants)
    await addTenant()
    const counts = await storeOf().scan(async (db) => {
      const first = await tenants(db)
      await addTenant()
      return [first, await tenants(db)]
    })
    expect(counts).toEqual([before + 1, before + 1])
    expect(await storeOf().scan(tenants)).toBe(before + 2)
  })

  it('scans run concurrently, also if there are more of them than connections', async () => {
    const count = await storeOf().scan(tenants)
    const scans = Array.from({ length: 50 }, () => storeOf().scan(tenants))
    expect(await Promise.all(scans)).toEqual(scans.map(() => count))
  })

  it('scans return the same rows as reads', async () => {
    const statement = sql`
      select user_name_key, external_id, created_at, active, ${'O’Brien\n'} as text, null as none
      from users where tenant_id = ${client.tenantId} order by id limit 3`
    const work = async (db: Database) => (await db.exec(statement)).rows
    const rows = await storeOf().read(work)
    expect(rows).toHaveLength(3)
    expect(await storeOf().scan(work)).toEqual(rows)
  })

  it('failing scans do not make other scans fail', async () => {
    const own = new Error('of its own')
    const ends = await Promise.allSettled([
      storeOf().scan(() => Promise.reject(own)),
      storeOf().scan((db) => db.exec(sql`select nothing from nowhere`)),
      storeOf().scan((db) => db.exec(sql`delete from users where tenant_id = ${client.tenantId}`)),
      storeOf().scan(tenants),
    ])
    expect(ends[0]).toEqual({ status: 'rejected', reason: own })
    expect(ends.slice(1).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  })

  it("one tenant's scans do not block another tenant's", async () => {
    const client = new AbortController()
    const { signal } = client
    const left = Array.from({ length: 20 }, () =>
      storeOf().scan((db) => db.exec(ENDLESS), { signal, tenantId: 'hostile' }),
    )
    const counts = await Promise.all(
      Array.from({ length: 5 }, () => storeOf().scan(tenants, { tenantId: 'other' })),
    )
    expect(counts.every((count) => count > 0)).toBe(true)
    client.abort(reason)
    const ends = await Promise.allSettled(left)
    expect(ends).toEqual(left.map(() => ({ status: 'rejected', reason })))
  })

  describe('scans whose client has hung up', () => {
    it('scans are not started after a hang-up, and reject with the reason', async () => {
      let isBegun = false
      const scan = storeOf().scan(
        async () => {
          isBegun = true
        },
        { signal: AbortSignal.abort(reason) },
      )
      await expect(scan).rejects.toBe(reason)
      expect(isBegun).toBe(false)
    })

    it('scans are stopped during a statement after a hang-up, and reject with the reason', async () => {
      const client = new AbortController()
      const scan = storeOf().scan((db) => db.exec(ENDLESS), client)
      setTimeout(() => client.abort(reason), 50)
      await expect(scan).rejects.toBe(reason)
    })

    it('scans are stopped between statements after a hang-up', async () => {
      const client = new AbortController()
      const scan = storeOf().scan(async (db) => {
        await tenants(db)
        client.abort(reason)
        await db.exec(ENDLESS)
      }, client)
      await expect(scan).rejects.toBe(reason)
    })

    it('scans stopped after a hang-up do not stop other scans', async () => {
      const clients = Array.from({ length: 8 }, () => new AbortController())
      const left = clients.map(({ signal }) => storeOf().scan((db) => db.exec(ENDLESS), { signal }))
      const stays = storeOf().scan(tenants)
      for (const client of clients) client.abort(reason)
      const ends = await Promise.allSettled(left)
      expect(ends).toEqual(left.map(() => ({ status: 'rejected', reason })))
      expect(await stays).toBeGreaterThan(0)
    })
  })
}
