import { isPassing, type Store } from './store/store.ts'
import {
  DEFAULT_TENANT,
  findToken,
  hashOf,
  isSameText,
  isStale,
  type Profile,
  type Role,
  type TokenRow,
  touchToken,
} from './store/tokens.ts'

/** Whom a request comes from. */
export interface Principal {
  /** The tenant whose resources it sees: the default one for an administrator, who belongs to none. */
  readonly tenantId: string
  readonly role: Role
  readonly profile: Profile
  /** The user whom `/Me` shows, or null. */
  readonly userId: string | null
}

/** What a request is authenticated with. */
export interface AuthOptions {
  readonly store: Store
  /** A token of the environment, or null. */
  readonly token: string | null
  readonly now: () => number
}

/** The principal of a bearer token (RFC 6750 §2.1); null for none, or one that nobody has given out. */
export async function authenticate(
  request: Request,
  { store, token, now }: AuthOptions,
): Promise<Principal | null> {
  // The Headers class has removed the white space around the value.
  const text = request.headers.get('Authorization')?.match(BEARER)?.[1]
  if (text === undefined) return null
  if (token !== null && isSameText(text, token)) {
    return { tenantId: DEFAULT_TENANT, role: 'admin', profile: 'standard', userId: null }
  }
  const row = await rowOf(text, store, now())
  if (row === null) return null
  return {
    tenantId: row.tenant_id ?? DEFAULT_TENANT,
    // What belongs to a tenant administers no others, whatever its role is called.
    role: row.role === 'admin' && row.tenant_id === null ? 'admin' : 'client',
    profile: profileOf(row.profile),
    userId: row.user_id,
  }
}

/** Has every token of a database looked up again, because one of them was revoked. */
export function forgetTokens(store: Store): void {
  // Whoever is being looked up at this moment is remembered in a map that nobody asks any more.
  known.delete(store)
}

/** The row of a token, looked up once a second at most, so that the others come for nothing. */
async function rowOf(text: string, store: Store, time: number): Promise<TokenRow | null> {
  const rows = rowsOf(store)
  const key = hashOf(text)
  const last = rows.get(key)
  const isFresh = last !== undefined && Math.abs(time - last.time) < LOOK_UP_AFTER
  if (isFresh && !isStale(last.row, time)) return last.row
  const row = await store.read((db) => findToken(db, text))
  if (row === null) {
    rows.delete(key)
    return null
  }
  const isUnnoted = isStale(row, time)
  if (isUnnoted) await note(row, store, time)
  if (rows.size >= MOST_KNOWN) rows.clear()
  rows.set(key, { row: isUnnoted ? { ...row, last_used_at: time } : row, time })
  return row
}

/** A database that cannot be written to at this time may still be read. */
async function note(row: TokenRow, store: Store, time: number): Promise<void> {
  try {
    await store.write((db) => touchToken(db, row, time))
  } catch (error) {
    if (!isPassing(error)) throw error
  }
}

function rowsOf(store: Store): Map<string, Known> {
  const rows = known.get(store) ?? new Map<string, Known>()
  known.set(store, rows)
  return rows
}

/** A token that was found, and when. */
interface Known {
  readonly row: TokenRow
  readonly time: number
}

/** By the hashes of the tokens: their texts are kept nowhere. */
const known = new WeakMap<Store, Map<string, Known>>()
/** In milliseconds: for as long, a token is good that another process has revoked. */
const LOOK_UP_AFTER = 1_000
const MOST_KNOWN = 10_000
const BEARER = /^Bearer +([\w.~+/=-]{1,500})$/i

function profileOf(text: string): Profile {
  return text === 'entra' || text === 'okta' ? text : 'standard'
}
