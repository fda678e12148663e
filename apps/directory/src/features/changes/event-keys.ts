import { memoize } from '../../kernel/memoize.ts'
import type { Store } from '../../kernel/store/store.ts'
import { currentKeys, type EventJwk, readEventKeys } from './event-key-store.ts'
import type { EventKey } from './security-event.ts'

/** The public half of a Security Event Token signing key. */
export type PublicJwk = Omit<EventJwk, 'd' | 'from'> & {
  readonly alg: 'ES256'
  readonly use: 'sig'
}

/** A database's keys for signing Security Event Tokens. */
export interface EventKeys {
  /** The current signing key. */
  readonly signing: EventKey
  readonly published: readonly PublicJwk[]
}

/** Reads a database's keys, again after a minute, so each process notices a rotation. */
export async function eventKeys(store: Store, now: number): Promise<EventKeys> {
  const known = cache.get(store)
  if (known.keys === null || Math.abs(now - known.readAt) > LIFETIME) {
    const { signing, published } = currentKeys(await store.read(readEventKeys), now)
    known.keys = { signing: await importKey(signing), published: published.map(publicPart) }
    known.readAt = now
  }
  return known.keys
}

async function importKey({ kid, from: _, ...jwk }: EventJwk): Promise<EventKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  return { kid, key: await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']) }
}

function publicPart({ kty, crv, x, y, kid }: EventJwk): PublicJwk {
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }
}

interface Known {
  keys: EventKeys | null
  readAt: number
}

const cache = memoize((_: Store): Known => ({ keys: null, readAt: 0 }))
/** In milliseconds. */
const LIFETIME = 60_000
