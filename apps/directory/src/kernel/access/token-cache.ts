import { memoize } from '../memoize.ts'
import type { Database } from '../store/database.ts'
import { sha256 } from '../store/sha256.ts'
import { ONE_STATEMENT, type Store } from '../store/store.ts'
import type { ClientRow, TenantRow, TokenRow } from '../store/tables.ts'
import { findClient, touchClient } from './client-store.ts'
import { recordUse } from './record-use.ts'
import { findTenant } from './tenant-store.ts'
import { findToken, isExpired, isStale, touchToken } from './token-store.ts'

/**
 * Finds a token's row, expired or not; null if it is unknown. Rows are cached for a second, so most requests don't
 * query the database.
 */
export async function lookUpToken(
  text: string,
  store: Store,
  time: number,
): Promise<TokenRow | null> {
  const { tokens, tenants } = caches.get(store)
  const key = sha256(text)
  const last = tokens.get(key)
  // Expired tokens don't count as used.
  const isUnnoted = (row: TokenRow): boolean => isStale(row, time) && !isExpired(row, time)
  if (isFresh(last, time) && !isUnnoted(last.row)) return last.row
  const { row, tenant } = await store.read((db) => findWithTenant(db, text))
  if (row === null) {
    tokens.delete(key)
    return null
  }
  // Each request needs its token's tenant.
  if (tenant !== null) keep(tenants, tenant.id, { row: tenant, time })
  const isUsed = isUnnoted(row)
  if (isUsed) recordUse(store, (db) => touchToken(db, row, time))
  keep(tokens, key, { row: isUsed ? { ...row, last_used_at: time } : row, time })
  return row
}

/** Finds a token's row together with its tenant's. */
async function findWithTenant(db: Database, text: string) {
  const row = await findToken(db, text)
  const tenant = row?.tenant_id == null ? null : await findTenant(db, row.tenant_id)
  return { row, tenant }
}

/**
 * Finds an OAuth client's row; null if it does not exist. Rows are cached for a second. The use is stored if the client
 * is valid for the request.
 */
export async function lookUpClient(
  id: string,
  store: Store,
  { time, isValid }: { readonly time: number; readonly isValid: (row: ClientRow) => boolean },
): Promise<ClientRow | null> {
  const { clients } = caches.get(store)
  const last = clients.get(id)
  const isUnnoted = (row: ClientRow): boolean => isStale(row, time) && isValid(row)
  if (isFresh(last, time) && !isUnnoted(last.row)) return last.row
  const row = await store.read((db) => findClient(db, id), ONE_STATEMENT)
  if (row === null) {
    clients.delete(id)
    return null
  }
  const isUsed = isUnnoted(row)
  if (isUsed) recordUse(store, (db) => touchClient(db, row, time))
  keep(clients, id, { row: isUsed ? { ...row, last_used_at: time } : row, time })
  return row
}

/** Finds a tenant's row, disabled or not; null if it does not exist. Rows are cached for a second. */
export async function lookUpTenant(
  id: string,
  store: Store,
  time: number,
): Promise<TenantRow | null> {
  const { tenants } = caches.get(store)
  const last = tenants.get(id)
  if (isFresh(last, time)) return last.row
  const row = await store.read((db) => findTenant(db, id), ONE_STATEMENT)
  if (row === null) tenants.delete(id)
  else keep(tenants, id, { row, time })
  return row
}

/** Whether this process has accepted a database token before. */
export function isCached(text: string, store: Store): boolean {
  return caches.get(store).tokens.has(sha256(text))
}

/** Remembers an OAuth client's id and secret after this process has accepted them. */
export function keepAccepted(credentials: string, store: Store, time: number): void {
  keep(caches.get(store).accepted, sha256(credentials), { time })
}

/** Whether this process has accepted an OAuth client's id and secret before. */
export function wasAccepted(credentials: string, store: Store): boolean {
  return caches.get(store).accepted.has(sha256(credentials))
}

/** Clears a database's cached tokens, clients and tenants after one was revoked or changed. */
export function forgetTokens(store: Store): void {
  // A running look-up writes to the old maps, which later requests don't read.
  caches.forget(store)
}

/** A cached row, and when it was looked up. */
export interface Cached {
  readonly time: number
}

/** Whether a cached row may still be used. */
export function isFresh<Row extends Cached>(last: Row | undefined, time: number): last is Row {
  return last !== undefined && Math.abs(time - last.time) < LOOK_UP_AFTER
}

/** Caches a row; the cache's size is bounded. */
export function keep<Row extends Cached>(rows: Map<string, Row>, key: string, row: Row): void {
  if (rows.size >= MAX_KNOWN) rows.clear()
  rows.set(key, row)
}

/** Tokens and accepted secrets are keyed by their hashes, and never kept in plain text. */
const caches = memoize((_: Store) => ({
  accepted: new Map<string, Cached>(),
  tokens: new Map<string, Cached & { readonly row: TokenRow }>(),
  clients: new Map<string, Cached & { readonly row: ClientRow }>(),
  tenants: new Map<string, Cached & { readonly row: TenantRow }>(),
}))
/** How long (ms) a token may still be accepted after another process revoked it. */
const LOOK_UP_AFTER = 1_000
const MAX_KNOWN = 10_000
