import { expect, it } from 'vitest'
import { createTenant } from '../../src/features/tenants/store.ts'
import { listTenants } from '../../src/kernel/access/tenant-store.ts'
import {
  createToken,
  listTokens,
  revokeToken,
  touchToken,
} from '../../src/kernel/access/token-store.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'

/** The behaviour of tokens on every store. */
export function tokenContract(store: () => Store): void {
  it('an administrator with a tenant, and a client without a tenant, are rejected', async () => {
    const { tenantId } = await connect(store())
    const base = { name: 'a', profile: 'standard', now: 0 } as const
    for (const owner of [
      { role: 'admin', tenantId },
      { role: 'client', tenantId: null },
    ] as const) {
      const created = store().write((db) => createToken(db, { ...base, ...owner }))
      await expect(created).rejects.toThrow()
    }
  })

  it('a string with more or fewer than two parts finds no token', async () => {
    const { send, token } = await connect(store())
    const [id, secret] = token.split('.')
    for (const text of [
      `${token}.x`,
      `${token}.`,
      `.${token}`,
      `${id}`,
      `${secret}`,
      `${token} x`,
    ]) {
      const headers = { Authorization: `Bearer ${text}` }
      expect((await send('GET', '/Users?count=0', undefined, headers)).status, text).toBe(401)
    }
    expect((await send('GET', '/Users?count=0')).status).toBe(200)
  })

  it('tenants and tokens are listed from the oldest to the newest', async () => {
    const { tenantId } = await connect(store())
    const times = [20, 30, 10]
    const base = { tenantId, role: 'client', profile: 'standard' } as const
    await store().write(async (db) => {
      for (const now of times) {
        await createTenant(db, { id: `${tenantId}-${now}`, name: 'a', created_at: now })
        await createToken(db, { ...base, name: `${now}`, now })
      }
    })
    const tenants = await store().read(listTenants)
    const ids = tenants.map(({ id }) => id).filter((id) => id.startsWith(`${tenantId}-`))
    expect(ids).toEqual([10, 20, 30].map((now) => `${tenantId}-${now}`))
    const tokens = await store().read((db) => listTokens(db, tenantId))
    expect(tokens.map(({ name }) => name)).toEqual(['10', '20', '30', 'test'])
  })

  it("one token's use is stored, and one token is revoked", async () => {
    const { tenantId } = await connect(store())
    const base = { tenantId, role: 'client', profile: 'standard' } as const
    const created = await store().write((db) =>
      createToken(db, { ...base, name: 'second', now: 0 }),
    )
    const used = () =>
      store().read(async (db) =>
        (await listTokens(db, tenantId)).map(({ name, last_used_at }) => [name, last_used_at]),
      )
    await store().write((db) => touchToken(db, created.row, 5))
    expect(await used()).toEqual([
      ['second', 5],
      ['test', null],
    ])
    expect(await store().write((db) => revokeToken(db, store().dialect, created.row.id, 7))).toBe(
      true,
    )
    expect(await used()).toEqual([['test', null]])
    expect(await store().write((db) => revokeToken(db, store().dialect, created.row.id, 7))).toBe(
      false,
    )
  })
}
