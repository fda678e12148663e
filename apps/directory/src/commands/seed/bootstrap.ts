import { raw, sql } from '@plumbline/scim/internal'
import { createTenant } from '../../features/tenants/store.ts'
import { DEFAULT_TENANT, findTenant } from '../../kernel/access/tenant-store.ts'
import { createToken } from '../../kernel/access/token-store.ts'
import type { Database } from '../../kernel/store/database.ts'
import { faultOf } from '../../kernel/store/faults.ts'
import type { SqlDialect, Store } from '../../kernel/store/store.ts'
import { createDemoPerson } from './demo-person.ts'
import { seedScope } from './seed-scope.ts'

/** Options for the first start on a database. */
export interface Preparation {
  /** The environment's token, or null: an administrator's token is created. */
  readonly token: string | null
  /** Whether a demo person is created; false by default. */
  readonly hasDemo?: boolean
}

/**
 * Prepares a new database: creates the first tenant, with a demo person if it is wanted, and an administrator's token
 * unless the environment has one. Returns the token, which is not stored anywhere else; null if none was created.
 */
export async function prepare(
  store: Store,
  { token, hasDemo = false }: Preparation,
  now: number,
): Promise<string | null> {
  // A read-only database is ready if it was prepared before.
  if (await store.read((db) => findTenant(db, DEFAULT_TENANT))) return null
  try {
    return await store.write(async (db) => {
      if (await findTenant(db, DEFAULT_TENANT)) return null
      const isNew = await isFirstStart(db, store.dialect, now)
      await createTenant(db, { id: DEFAULT_TENANT, name: 'Default', created_at: now })
      if (hasDemo && isNew) await createDemoPerson(seedScope(db, store, DEFAULT_TENANT), now)
      if (token !== null) return null
      return (await createToken(db, { ...ADMINISTRATOR, name: 'made at the first start', now }))
        .text
    })
  } catch (error) {
    // Another process created the tenant at the same time.
    if (faultOf(error) === 'unique') return null
    throw error
  }
}

/** Records that a database was prepared; returns whether it was not prepared before. */
async function isFirstStart(
  db: Database,
  { skipExisting }: Pick<SqlDialect, 'skipExisting'>,
  now: number,
): Promise<boolean> {
  const { affectedRows } = await db.exec(
    sql`insert into settings (name, value) values (${'prepared_at'}, ${String(now)})
      ${raw(skipExisting(['name']))}`,
  )
  return affectedRows === 1
}

/** Creates another administrator's token, for an operator who has lost the first. */
export async function makeToken(store: Store, now: number): Promise<string> {
  const first = await prepare(store, { token: null }, now)
  if (first !== null) return first
  const { text } = await store.write((db) =>
    createToken(db, { ...ADMINISTRATOR, name: 'made by npm start -- --token', now }),
  )
  return text
}

const ADMINISTRATOR = { tenantId: null, role: 'admin', profile: 'standard' } as const
