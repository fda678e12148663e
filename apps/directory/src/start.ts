import type { Config } from './config.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/store.ts'
import { createTenant, createToken, DEFAULT_TENANT, findTenant } from './store/tokens.ts'

/** A database that is ready, and the token that was made with it. */
export interface Opened {
  readonly store: Store
  /** The administrator's token, where this start made the database; null afterwards. */
  readonly token: string | null
}

/** Opens the database; one that is new gets its first tenant and an administrator's token. */
export async function openDirectory({ database, token }: Config, now: number): Promise<Opened> {
  const store = await openStore(database)
  const made = await store.write(async (db) => {
    if (await findTenant(db, DEFAULT_TENANT)) return null
    await createTenant(db, { id: DEFAULT_TENANT, name: 'Default', created_at: now })
    if (token !== null) return null
    const name = 'made at the first start'
    const options = {
      tenantId: DEFAULT_TENANT,
      name,
      role: 'admin',
      profile: 'standard',
      now,
    } as const
    return (await createToken(db, options)).text
  })
  return { store, token: made }
}

/** Makes another administrator's token, for whoever has lost the first. */
export async function makeToken(store: Store, now: number): Promise<string> {
  const { text } = await store.write((db) =>
    createToken(db, {
      tenantId: DEFAULT_TENANT,
      name: 'made by npm start -- --token',
      role: 'admin',
      profile: 'standard',
      now,
    }),
  )
  return text
}
