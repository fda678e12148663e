import { rawSql } from '@remix-run/data-table'
import { expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { createTenant, createToken } from '../../src/store/tokens.ts'
import { connect, sender } from '../harness.ts'

/** Migrations of a database of an earlier version, on every store; `open` opens the same database. */
export function migrationContract(open: () => Promise<Store>): void {
  it('does not turn a token that was created for one tenant into an administrator', async () => {
    const texts = await withTokensOfTenants(await open())
    const store = await open()
    const { directory } = await connect(store)
    const statusOf = async (text: string) =>
      (await sender(directory, text)('GET', '/api/tenants')).status
    expect(await Promise.all(texts.map(statusOf))).toEqual([200, 403, 403])
    for (const text of texts) {
      expect((await sender(directory, text)('GET', '/Users?count=0')).status).toBe(200)
    }
    await store.close()
  })
}

/** Reverts a database to the previous version, and creates tokens of two administrators and a client. */
async function withTokensOfTenants(store: Store): Promise<readonly string[]> {
  const base = { name: 'a', profile: 'standard', now: 0 } as const
  const texts = await store.write(async (db) => {
    for (const text of EARLIER[store.dialect.name] ?? []) await db.exec(rawSql(text))
    await db.exec(rawSql(`delete from migrations where id = '20261121000003'`))
    const made: string[] = []
    for (const id of ['default', 'acme']) await createTenant(db, { id, name: id, created_at: 0 })
    for (const owner of [
      { role: 'admin', tenantId: 'default' },
      { role: 'admin', tenantId: 'acme' },
      { role: 'client', tenantId: 'acme' },
    ] as const) {
      made.push((await createToken(db, { ...base, ...owner })).text)
    }
    return made
  })
  await store.close()
  return texts
}

/** The statements that turn the tables of a new database into those of the previous version. */
const EARLIER: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    'alter table tokens drop constraint tokens_of_administrators',
    'alter table tokens alter column tenant_id set not null',
  ],
  sqlite: [
    'drop table tokens',
    `create table tokens (
      id text primary key,
      tenant_id text not null references tenants (id),
      name text not null,
      hash text not null,
      role text not null,
      profile text not null,
      user_id text,
      created_at bigint not null,
      last_used_at bigint
    )`,
    'create index tokens_by_tenant on tokens (tenant_id)',
  ],
}
