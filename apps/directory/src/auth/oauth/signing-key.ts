import { memoize } from '../../memoize.ts'
import { readAccessTokenKey } from '../../store/clients.ts'
import type { Store } from '../../store/store.ts'

/** The key of a database that signs access tokens. It is read once. */
export async function accessTokenKey(store: Store): Promise<string> {
  const known = keys.get(store)
  // A failure is not kept: the database may be back at the next request.
  known.key ??= await store.read(readAccessTokenKey)
  return known.key
}

/** The key, if this process has read it. */
export function knownAccessTokenKey(store: Store): string | null {
  return keys.get(store).key
}

const keys = memoize((_: Store): { key: string | null } => ({ key: null }))
