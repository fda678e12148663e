import { sql } from '@plumbline/scim/internal'
import { expect, it, onTestFinished } from 'vitest'
import { createTenant } from '../../src/features/tenants/store.ts'
import { findTenant } from '../../src/kernel/access/tenant-store.ts'
import { isTransient } from '../../src/kernel/store/faults.ts'
import type { Migration } from '../../src/kernel/store/migrations/apply-migration.ts'
import type { Migrated } from '../../src/kernel/store/migrations/migrated.ts'
import { migrate, migrationsFor } from '../../src/kernel/store/migrations/migrations.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'

/** A new database of this version. */
export interface FencedDatabase {
  open(): Promise<Store>
  /** Runs work with a connection for migrations. */
  migrating(work: (migrated: Migrated) => Promise<void>): Promise<void>
}

/** The fence between the processes of this version and the migrations of a newer one, on every store. */
export function fenceContract(create: () => Promise<FencedDatabase>): void {
  const opened = async (database: FencedDatabase): Promise<Store> => {
    const store = await database.open()
    onTestFinished(() => store.close())
    return store
  }

  it('a store rejects writes after an unknown migration, and goes on reading', async () => {
    const database = await create()
    const store = await opened(database)
    await addTenant(store, 'before')
    expect(store.outdated.aborted).toBe(false)
    await store.ping()
    await upgrade(database, store, { ...NEWER, up: async () => undefined })
    for (const attempt of [
      () => addTenant(store, 'after'),
      () => store.background((db) => createTenant(db, tenant('after'))),
      () => store.ping(),
    ]) {
      const error = await attempt().then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(String(error)).toBe(
        `NewerSchemaError: a newer version of the directory has migrated the database (${NEWER.id})`,
      )
      expect(isTransient(error)).toBe(true)
      expect(store.outdated.reason).toMatchObject({ name: 'NewerSchemaError' })
    }
    expect(await tenantsOf(store, ['before', 'after'])).toEqual(['before'])
  })

  it('a readiness check is enough to notice a newer migration', async () => {
    const database = await create()
    const store = await opened(database)
    await upgrade(database, store, { ...NEWER, up: async () => undefined })
    await expect(store.ping()).rejects.toThrow(NEWER.id)
    expect(store.outdated.aborted).toBe(true)
  })

  it("SCIM and the management API answer an outdated process's writes with 503 and Retry-After", async () => {
    const database = await create()
    const store = await opened(database)
    const { send } = await connect(store, { role: 'admin' })
    await upgrade(database, store, { ...NEWER, up: async () => undefined })
    for (const [method, path, body] of [
      ['POST', '/Users', { userName: 'anna' }],
      ['POST', '/api/tenants', { id: 'late', name: 'Late' }],
      ['GET', '/api/ready', undefined],
    ] as const) {
      const { status, headers } = await send(method, path, body)
      expect([path, status, headers.get('Retry-After')]).toEqual([path, 503, '5'])
    }
    expect((await send('GET', '/Users')).body.totalResults).toBe(0)
  })

  it("no write overlaps with a migration's transaction", async () => {
    const database = await create()
    const store = await opened(database)
    await addTenant(store, 'before')
    const written: string[] = []
    let isOver = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let at = 0; !isOver; at += 1) {
        const id = `${writer}-${at}`
        if (await addTenant(store, id).then(() => true, isNoFault)) written.push(id)
      }
    })
    const seen: string[] = []
    await upgrade(database, store, {
      ...NEWER,
      up: async ({ db }) => {
        const { rows } = await db.exec(sql`select id from tenants`)
        // Writers that have read the journal before the migration would commit now.
        await new Promise((resolve) => setTimeout(resolve, 200))
        seen.push(...rows.map(({ id }) => String(id)))
      },
    })
    isOver = true
    await Promise.all(writers)
    expect(written.filter((id) => !seen.includes(id))).toEqual([])
    expect(await tenantsOf(store, written)).toEqual(written)
  })

  it('a write that began before a migration commits before it', async () => {
    const database = await create()
    const store = await opened(database)
    const order: string[] = []
    let upgraded: Promise<void> = Promise.resolve()
    await store.write(async (db) => {
      await createTenant(db, tenant('slow'))
      upgraded = upgrade(database, store, {
        ...NEWER,
        up: async () => void order.push('migrated'),
      })
      await new Promise((resolve) => setTimeout(resolve, 200))
      order.push('written')
    })
    await upgraded
    expect(order).toEqual(['written', 'migrated'])
  })

  it('a migration with several transactions keeps writers out between them, and readers in', async () => {
    const database = await create()
    const store = await opened(database)
    await addTenant(store, 'before')
    const interrupted = upgrade(database, store, {
      ...NEWER,
      isInParts: true,
      up: async () => {
        await expect(addTenant(store, 'during')).rejects.toThrow('the database is being migrated')
        await store.ping()
        expect(await tenantsOf(store, ['before', 'during'])).toEqual(['before'])
        throw new Error('interrupted')
      },
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    // The next run continues with what the first one found, so a writer must not change it.
    await expect(addTenant(store, 'between')).rejects.toThrow('the database is being migrated')
    expect(store.outdated.aborted).toBe(false)
    await expect(database.open()).rejects.toThrow(NEWER.id)
    let runs = 0
    const up: Migration['up'] = async () => {
      runs += 1
    }
    for (let run = 0; run < 2; run += 1) {
      await upgrade(database, store, { ...NEWER, isInParts: true, up })
    }
    expect(runs).toBe(1)
    await expect(addTenant(store, 'after')).rejects.toThrow('a newer version')
    expect(store.outdated.aborted).toBe(true)
  })
}

/** A migration of the next version, without its work. */
export const NEWER = { id: '20991231000000', name: 'of_a_newer_version', isInParts: false }

/** Migrates a database as the next version does. */
export async function upgrade(
  { migrating }: Pick<FencedDatabase, 'migrating'>,
  { dialect }: Pick<Store, 'dialect'>,
  migration: Migration,
): Promise<void> {
  const migrations = [...migrationsFor(dialect), migration]
  await migrating((migrated) => migrate(migrated, dialect, migrations))
}

function addTenant(store: Store, id: string): Promise<unknown> {
  return store.write((db) => createTenant(db, tenant(id)))
}

function tenant(id: string) {
  return { id, name: id, created_at: 0 }
}

/** The tenants that exist, among these. */
async function tenantsOf(store: Store, ids: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const id of ids) {
    if ((await store.read((db) => findTenant(db, id))) !== null) found.push(id)
  }
  return found
}

/** Returns false for an error of the fence, which a client may repeat. */
function isNoFault(error: unknown): boolean {
  if (isTransient(error)) return false
  throw error
}
