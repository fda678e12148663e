import { raw, sql } from '@plumbline/scim/internal'
import { expect, it } from 'vitest'
import { fill } from '../../src/commands/seed/fill.ts'
import { personId, personOf } from '../../src/commands/seed/people.ts'
import { findRequests } from '../../src/features/log/find-requests.ts'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import { addRecorded, createRecording } from '../../src/features/recordings/store.ts'
import { createTenant } from '../../src/features/tenants/store.ts'
import { listTokens } from '../../src/kernel/access/token-store.ts'
import { sha256 } from '../../src/kernel/store/sha256.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect, sender } from '../support/harness.ts'

/** Runs a statement on a database. */
export type Run = (statement: string) => Promise<unknown>

/**
 * Migrations of a database of an earlier version, on every store. `open` opens the same database, and `withDatabase`
 * runs statements on it without a migration.
 */
export function migrationContract(
  open: () => Promise<Store>,
  withDatabase: (work: (run: Run) => Promise<void>) => Promise<void>,
): void {
  it('a token created for one tenant does not become an administrator', async () => {
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

  it('the values in stored users are indexed, and the work continues where an interrupted run ended', async () => {
    const { tenantId } = await withoutIndex(await open())
    const interrupted = personId(PEOPLE - 10, 1)
    // The migration fails at a row that is not JSON, in the second batch.
    await expect(open()).rejects.toThrow('JSON')
    await repair(interrupted)
    const store = await open()
    const { rows: values } = await store.read((db) =>
      db.exec(sql`select position from user_values where tenant_id = ${tenantId}`),
    )
    expect(values).toHaveLength(5 * PEOPLE - ROWS_OF_FIRST)
    const client = await connect(store, { tenantId })
    const found = async (number: number) => {
      const { resource, id } = personOf(number, 1)
      const filter = `phoneNumbers[type eq "work"].value eq "${resource.phoneNumbers?.[0]?.value}"`
      const { body } = await client.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      return [id, body.Resources?.map((one) => one.id)]
    }
    for (const number of [1, PEOPLE - 10, PEOPLE - 1]) {
      const [id, ids] = await found(number)
      expect(ids).toEqual([id])
    }
    // The first batch was not indexed again: the rows that were deleted after it are missing.
    expect((await found(0))[1]).toEqual([])
    await expect(store.read((db) => db.exec(sql`select * from user_emails`))).rejects.toThrow()
    // A process that began the same migration finds that it is done.
    await store.write((db) => db.exec(INDEX_NOT_APPLIED))
    await store.close()
    await (await open()).close()
  })

  it('the tags for users with extensions are renewed, and the work continues where an interrupted run ended', async () => {
    const earlier = await open()
    const { tenantId } = await connect(earlier)
    await fill(earlier, { tenantId, users: PEOPLE, groups: 0, seed: 2 })
    const tagged = sql`update users set version = ${EARLIER_TAG}, extensions = ${'{}'}`
    await earlier.write(async (db) => {
      await db.exec(sql`${tagged} where tenant_id = ${tenantId}`)
      // A user without extensions keeps its tag, and the first run ended after the second user.
      await db.exec(
        sql`update users set extensions = null where tenant_id = ${tenantId} and id = ${personId(7, 2)}`,
      )
      const position = JSON.stringify([tenantId, personId(1, 2)])
      await db.exec(
        sql`insert into settings (name, value) values (${'tags_renewed_to'}, ${position})`,
      )
      await db.exec(sql`delete from migrations where id = '20261129030000'`)
    })
    await earlier.close()
    const store = await open()
    const { rows = [] } = await store.read((db) =>
      db.exec(sql`select id, version from users where tenant_id = ${tenantId} order by id`),
    )
    const kept = rows.flatMap(({ id, version }, at) => (version === EARLIER_TAG ? [[at, id]] : []))
    expect(kept.map(([, id]) => id).sort()).toEqual([0, 1, 7].map((at) => personId(at, 2)).sort())
    const renewed = new Set(rows.map(({ version }) => version))
    renewed.delete(EARLIER_TAG)
    expect(renewed.size).toBe(PEOPLE - 3)
    for (const tag of renewed) expect(tag).toMatch(/^W\/"r[0-9a-f]{32}"$/)
    await store.close()
  })

  it('recordings from earlier versions are deleted, because they may contain values that are never returned', async () => {
    const earlier = await open()
    const { tenantId } = await connect(earlier)
    await earlier.write(async (db) => {
      await createRecording(db, { tenantId, id: 'r', now: 0 })
      const exchanges = Array.from({ length: 50 }, (_, at) => `{"door":"${at} ${EARLIER_SECRET}"}`)
      await addRecorded(db, { tenant_id: tenantId, id: 'r' }, exchanges)
      await db.exec(sql`delete from migrations where id = '20261124010000'`)
    })
    await earlier.close()
    const store = await open()
    for (const table of ['recordings', 'recorded_requests']) {
      const { rows } = await store.read((db) => db.exec(sql`select * from ${raw(table)}`))
      expect(rows).toEqual([])
    }
    await store.close()
  })

  it('requests logged in earlier versions are counted', async () => {
    const earlier = await open()
    const log = createProvisioningLog({ store: earlier, now: Date.now, days: 30, rows: 100 })
    const { tenantId, send } = await connect(earlier, { provisioning: log })
    for (let count = 0; count < 40; count += 1) await send('GET', `/Users/${count}`)
    await log.close()
    await earlier.write(async (db) => {
      await db.exec(sql`drop table request_sizes`)
      await db.exec(sql`delete from migrations where id = '20261124020000'`)
    })
    await earlier.close()
    const store = await open()
    const small = createProvisioningLog({ store, now: Date.now, days: 30, rows: 20 })
    const client = await connect(store, { provisioning: small, tenantId })
    await client.send('GET', '/Users/last')
    await small.flush()
    await small.close()
    const rows = await store.read((db) => findRequests(db, { tenantId, count: 100 }))
    expect(rows.map(({ resource_id }) => resource_id)).toEqual([
      'last',
      ...Array.from({ length: 19 }, (_, at) => String(39 - at)),
    ])
    await store.close()
  })

  it('values overwritten in changes are deleted, and the changes are kept', async () => {
    const earlier = await open()
    const client = await connect(earlier, { role: 'admin' })
    const { tenantId } = client
    await client.send('POST', '/Users', { userName: 'ada' })
    const path = `/api/tenants/${tenantId}/changes`
    const { body: before } = await client.send('GET', path)
    await earlier.write(async (db) => {
      const document = raw(earlier.dialect.document)
      await db.exec(sql`alter table changes add column before ${document}`)
      await db.exec(sql`update changes set before = '{"title":"Dr."}'`)
      await db.exec(sql`alter table changes drop column name`)
      await db.exec(sql`alter table change_feeds drop column stored_to`)
      await db.exec(
        sql`delete from migrations where id in ('20261129080000', '20261129080001', '20261129080002')`,
      )
    })
    await earlier.close()
    const store = await open()
    await expect(store.read((db) => db.exec(sql`select before from changes`))).rejects.toThrow()
    const { send } = await connect(store, { role: 'admin', tenantId })
    expect((await send('GET', path)).body).toEqual(before)
    await store.close()
  })

  /** Turns a database into one of the previous version, with more users than a batch of the migration has. */
  async function withoutIndex(store: Store): Promise<Client> {
    const client = await connect(store)
    await fill(store, { tenantId: client.tenantId, users: PEOPLE, groups: 0, seed: 1 })
    const { id } = personOf(PEOPLE - 10, 1)
    await store.write(async (db) => {
      await db.exec(sql`drop table user_values`)
      await db.exec(sql`create table user_emails (value_key text)`)
      await db.exec(INDEX_NOT_APPLIED)
      await db.exec(sql`update users set resource = '!' || resource where id = ${id}`)
    })
    await store.close()
    return client
  }

  /** Corrects the row, and deletes the values of the first user. */
  async function repair(id: string): Promise<void> {
    // Each database of the tests is opened by its own driver, without migrations.
    await withDatabase(async (run) => {
      await run(`update users set resource = substr(resource, 2) where id = '${id}'`)
      await run(`delete from user_values where resource_id = '${personId(0, 1)}'`)
    })
  }
}

/** A value in the recordings of an earlier version. */
export const EARLIER_SECRET = 'Earl1er-s3cret'
const EARLIER_TAG = `W/"${'a'.repeat(32)}"`
const INDEX_NOT_APPLIED = sql`delete from migrations where id = '20261122050000'`

/** Reverts a database to the previous version, and creates tokens of two administrators and a client. */
async function withTokensOfTenants(store: Store): Promise<readonly string[]> {
  const texts = await store.write(async (db) => {
    for (const text of EARLIER[store.dialect.name] ?? []) await db.exec(raw(text))
    await db.exec(sql`delete from migrations where id in ('20261121000003', '20261122010000')`)
    const created: string[] = []
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
      created.push(`${id}.secret`)
    }
    return created
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

/** More users than a batch has. */
const PEOPLE = 1_100
/** Two e-mail addresses, a phone number, and the locality and the country of an address. */
const ROWS_OF_FIRST = 5
