import { rawSql, sql } from '@remix-run/data-table'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/store/sha256.ts'
import type { Store } from '../../src/store/store.ts'
import { createTenant, listTokens } from '../../src/store/tokens.ts'
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
      const send = sender(directory, text)
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      // The tokens of an earlier version may write, and do not expire.
      expect((await send('DELETE', '/Users/none')).status).toBe(404)
    }
    const rows = await store.read((db) => listTokens(db, 'acme'))
    expect(rows).toMatchObject(
      ['b', 'c'].map((id) => ({
        id,
        access: 'write',
        expires_at: null,
        lifetime: null,
        replaces: null,
      })),
    )
    await store.close()
  })
}

/** Reverts a database to the previous version, and creates tokens of two administrators and a client. */
async function withTokensOfTenants(store: Store): Promise<readonly string[]> {
  const texts = await store.write(async (db) => {
    for (const text of EARLIER[store.dialect.name] ?? []) await db.exec(rawSql(text))
    await db.exec(rawSql(`delete from migrations where id in ('20261121000003', '20261122010000')`))
    const made: string[] = []
    for (const id of ['default', 'acme']) await createTenant(db, { id, name: id, created_at: 0 })
    for (const [id, role, tenantId] of [
      ['a', 'admin', 'default'],
      ['b', 'admin', 'acme'],
      ['c', 'client', 'acme'],
    ] as const) {
      await db.exec(
        sql`insert into tokens (id, tenant_id, name, hash, role, profile, created_at)
        values (${id}, ${tenantId}, ${'a'}, ${sha256('secret')}, ${role}, ${'standard'}, ${0})`,
      )
      made.push(`${id}.secret`)
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
    'alter table tokens drop column expires_at, drop column lifetime',
    'alter table tokens drop column access, drop column replaces',
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
