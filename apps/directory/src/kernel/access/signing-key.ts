import { memoize } from '../memoize.ts'
import type { Store } from '../store/store.ts'
import { readAccessTokenKey } from './client-store.ts'

/** Returns the database's key for signing access tokens. It is read once. */
export async function accessTokenKey(store: Store): Promise<string> {
  const known = keys.get(store)
  // Only success is cached: the database may be back at the next request.
  known.key ??= await store.read(readAccessTokenKey)
  return known.key
}

/** The key, if this process has read it. */
export function knownAccessTokenKey(store: Store): string | null {
  return keys.get(store).key
}

const keys = memoize((_: Store): { key: string | null } => ({ key: null }))
