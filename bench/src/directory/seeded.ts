import { makeToken } from '../../../apps/directory/src/commands/seed/bootstrap.ts'
import { fill } from '../../../apps/directory/src/commands/seed/fill.ts'
import { DEFAULT_TENANT } from '../../../apps/directory/src/kernel/access/tenant-store.ts'
import { openStore } from '../../../apps/directory/src/kernel/store/open.ts'
import { amount } from '../short.ts'

/** A database with sample users and groups, all in the first tenant. */
export interface Seeded {
  /** The `DATABASE_URL`. */
  readonly url: string
  /** A token for the tenant. */
  readonly token: string
  readonly users: number
  readonly groups: number
}

/** The users' seed. */
export const SEED = 1

/** Fills the database like `npm run seed`; existing users are kept. */
export async function seeded(url: string, users: number): Promise<Seeded> {
  const groups = Math.floor(users / 1_000)
  const store = await openStore(url)
  const token = await makeToken(store, Date.now())
  const started = performance.now()
  await fill(store, { tenantId: DEFAULT_TENANT, users, groups, seed: SEED })
  await store.close()
  const seconds = ((performance.now() - started) / 1_000).toFixed(0)
  console.log(`\n${users} users and ${groups} groups filled in ${seconds} s`)
  return { url, token, users, groups }
}

/** Reads `PLUMBLINE_BENCH_USERS`; a million by default. */
export function usersOf(env: Readonly<Record<string, string | undefined>>): number {
  const users = Number(env.PLUMBLINE_BENCH_USERS ?? amount(1_000_000, 1_000))
  if (Number.isInteger(users) && users >= 1_000) return users
  throw new Error('PLUMBLINE_BENCH_USERS must be a whole number of at least 1000')
}
