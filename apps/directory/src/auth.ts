import { memoize } from './memoize.ts'
import type { Profile } from './profiles.ts'
import { isTransient } from './store/faults.ts'
import { sha256 } from './store/sha256.ts'
import type { Store } from './store/store.ts'
import {
  DEFAULT_TENANT,
  findRevoked,
  findToken,
  isSameText,
  isStale,
  type Role,
  type TokenRow,
  touchToken,
} from './store/tokens.ts'

/** The sender of a request. */
export interface Principal {
  /** The id of its token; null for that of `DIRECTORY_TOKEN`. */
  readonly tokenId: string | null
  /** The tenant whose resources it sees; the default tenant for an administrator. */
  readonly tenantId: string
  readonly role: Role
  readonly profile: Profile
  /** The user whom `/Me` shows, or null. */
  readonly userId: string | null
}

/** The means of authenticating a request. */
export interface AuthOptions {
  readonly store: Store
  /** The token of `DIRECTORY_TOKEN`, or null. */
  readonly token: string | null
  readonly now: () => number
}

/** The principal of the bearer token of a request (RFC 6750 §2.1); null if it is missing or unknown. */
export async function authenticate(
  request: Request,
  options: AuthOptions,
): Promise<Principal | null> {
  const text = bearerOf(request)
  return text === null ? null : await findPrincipal(text, options)
}

function bearerOf({ headers }: Request): string | null {
  // The Headers class has removed the white space around the value.
  return headers.get('Authorization')?.match(BEARER)?.[1] ?? null
}

/** Why the credentials of a request are rejected, and the tenant and the token that are known in spite of it. */
export interface Rejection {
  /** `unknown` also for a token of a tenant that was deleted. */
  readonly reason: 'missing' | 'unknown' | 'revoked'
  readonly tenantId: string | null
  readonly tokenId: string | null
}

/** Explains why `authenticate` returned null for a request. */
export async function explainRejection(
  request: Request,
  { store }: Pick<AuthOptions, 'store'>,
): Promise<Rejection> {
  const text = bearerOf(request)
  if (text === null) return { reason: 'missing', tenantId: null, tokenId: null }
  const revoked =
    text.length > LONGEST_TOKEN ? null : await store.read((db) => findRevoked(db, text))
  if (revoked === null) return { reason: 'unknown', tenantId: null, tokenId: null }
  const { id, tenant_id } = revoked
  return { reason: 'revoked', tenantId: tenant_id ?? DEFAULT_TENANT, tokenId: id }
}

/** The principal of a token; null if it is unknown. */
export async function findPrincipal(
  text: string,
  { store, token, now }: AuthOptions,
): Promise<Principal | null> {
  if (text.length > LONGEST_TOKEN) return null
  if (token !== null && isSameText(text, token)) {
    return { ...ADMINISTRATOR, tokenId: null }
  }
  const row = await rowOf(text, store, now())
  if (row === null) return null
  return {
    tokenId: row.id,
    tenantId: row.tenant_id ?? DEFAULT_TENANT,
    // A token of a tenant never administers other tenants, whatever its role.
    role: row.role === 'admin' && row.tenant_id === null ? 'admin' : 'client',
    profile: profileOf(row.profile),
    userId: row.user_id,
  }
}

/** Clears the cache of a database's tokens after one was revoked. */
export function forgetTokens(store: Store): void {
  // A lookup that is still running writes to the old map, which later requests do not read.
  cachedTokens.forget(store)
}

/** The row of a token. It is cached for a second, so that most requests do not query the database. */
async function rowOf(text: string, store: Store, time: number): Promise<TokenRow | null> {
  const rows = cachedTokens.get(store)
  const key = sha256(text)
  const last = rows.get(key)
  const isFresh = last !== undefined && Math.abs(time - last.time) < LOOK_UP_AFTER
  if (isFresh && !isStale(last.row, time)) return last.row
  const row = await store.read((db) => findToken(db, text))
  if (row === null) {
    rows.delete(key)
    return null
  }
  const isUnnoted = isStale(row, time)
  if (isUnnoted) await recordUse(row, store, time)
  if (rows.size >= MOST_KNOWN) rows.clear()
  rows.set(key, { row: isUnnoted ? { ...row, last_used_at: time } : row, time })
  return row
}

/** Stores when a token was used. A failure is ignored if the database can be read but not written. */
async function recordUse(row: TokenRow, store: Store, time: number): Promise<void> {
  try {
    await store.write((db) => touchToken(db, row, time))
  } catch (error) {
    if (!isTransient(error)) throw error
  }
}

/** A cached token, and when it was looked up. */
interface CachedToken {
  readonly row: TokenRow
  readonly time: number
}

const ADMINISTRATOR = {
  tenantId: DEFAULT_TENANT,
  role: 'admin',
  profile: 'standard',
  userId: null,
} as const
/** Keyed by the hashes of the tokens: the tokens themselves are never kept. */
const cachedTokens = memoize((_: Store) => new Map<string, CachedToken>())
/** How long (ms) a token revoked by another process may still be accepted. */
const LOOK_UP_AFTER = 1_000
const MOST_KNOWN = 10_000
const BEARER = /^Bearer +([\w.~+/=-]+)$/i
const LONGEST_TOKEN = 500

/** The profile of a token; `standard` if its name is unknown. */
export function profileOf(text: string): Profile {
  return text === 'entra' || text === 'okta' ? text : 'standard'
}
