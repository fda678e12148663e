import { faultOf } from './store/faults.ts'
import type { Store } from './store/store.ts'
import { createTenant, createToken, DEFAULT_TENANT, findTenant } from './store/tokens.ts'

/**
 * Prepares a new database: creates its first tenant, and an administrator's token unless the environment
 * has one. Returns the token, which is not stored anywhere else; null if none was created.
 */
export async function prepare(
  store: Store,
  { token }: { readonly token: string | null },
  now: number,
): Promise<string | null> {
  // A read-only database is ready if it was prepared before.
  if (await store.read((db) => findTenant(db, DEFAULT_TENANT))) return null
  try {
    return await store.write(async (db) => {
      if (await findTenant(db, DEFAULT_TENANT)) return null
      await createTenant(db, { id: DEFAULT_TENANT, name: 'Default', created_at: now })
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
