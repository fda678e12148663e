import { randomBytes } from 'node:crypto'
import { type Fragment, raw, sql } from '@plumbline/scim/internal'
import { MINUTE } from '../durations.ts'
import { createId } from '../ids.ts'
import type { Profile } from '../profiles.ts'
import { type Database, insertRows, readRows } from '../store/database.ts'
import { isSameHash, sha256 } from '../store/sha256.ts'
import type { SqlDialect } from '../store/store.ts'
import type { TokenRow } from '../store/tables.ts'

/**
 * A token's permissions: a client provisions resources, a receiver (RFC 9967) reads resources and changes, an admin
 * also manages tenants and tokens.
 */
export type Role = 'admin' | 'client' | 'receiver'

/** An existing or revoked token. */
export interface KnownToken extends Pick<TokenRow, 'id' | 'tenant_id' | 'expires_at'> {
  readonly is_revoked: number
}

/** A token's permission: to read, or to read and write. */
export type Access = 'read' | 'write'

/** A new token's properties. */
export interface TokenOptions {
  /** Null for an administrator's token, and only for that. */
  readonly tenantId: string | null
  readonly name: string
  readonly role: Role
  readonly profile: Profile
  /** The user that `/Me` returns. */
  readonly userId?: string | null
  /** Defaults to `write`. */
  readonly access?: Access
  /** When it expires, in milliseconds since 1970; null, the default, for never. */
  readonly expiresAt?: number | null
  readonly now: number
}

/** A new token. The database stores a hash, so only this value contains the bearer token itself. */
export interface CreatedToken {
  readonly row: TokenRow
  /** The bearer token. */
  readonly text: string
}

/** Creates a token. */
export async function createToken(
  db: Database,
  { tenantId, name, role, profile, now, ...options }: TokenOptions,
): Promise<CreatedToken> {
  const { userId = null, access = 'write', expiresAt = null } = options
  return await insertToken(db, {
    tenant_id: tenantId,
    name,
    role,
    profile,
    user_id: userId,
    access,
    created_at: now,
    expires_at: expiresAt,
    replaces: null,
  })
}

/** Inserts a token with a new id and secret. */
export async function insertToken(
  db: Database,
  columns: Omit<TokenRow, 'id' | 'hash' | 'last_used_at' | 'lifetime'>,
): Promise<CreatedToken> {
  const { created_at, expires_at } = columns
  const id = createId(created_at)
  const secret = randomBytes(32).toString('base64url')
  const row: TokenRow = {
    ...columns,
    id,
    hash: sha256(secret),
    last_used_at: null,
    lifetime: expires_at === null ? null : expires_at - created_at,
  }
  await insertRows(db, 'tokens', [row])
  return { row, text: `${id}.${secret}` }
}

/** Finds a bearer token's row, or returns null. The secret is compared in constant time. */
export async function findToken(db: Database, text: string): Promise<TokenRow | null> {
  // A hand-written statement, because every request runs it.
  return await findBySecret<TokenRow>(db, text, selectToken)
}

/** Finds a token by id, or null. */
export async function findTokenById(db: Database, id: string): Promise<TokenRow | null> {
  return (await readRows<TokenRow>(db, selectToken(id)))[0] ?? null
}

/** Builds the statement that selects a token by id, and locks it if `lock` ends the `select`. */
export function selectToken(id: string, lock: string | null = null): Fragment {
  return sql`select ${raw(COLUMNS)} from tokens where id = ${id} ${raw(lock ?? '')}`
}

/** Finds the token for a bearer token, even if it was revoked. Returns null if it is unknown. */
export async function findKnownToken(db: Database, text: string): Promise<KnownToken | null> {
  return await findBySecret<KnownToken & Pick<TokenRow, 'hash'>>(
    db,
    text,
    (id) => sql`
      select id, tenant_id, hash, expires_at, 0 as is_revoked from tokens where id = ${id}
      union all
      select id, tenant_id, hash, null, 1 from revoked_tokens where id = ${id}`,
  )
}

/** Finds a row with the id and the secret in a bearer token. The secret is compared in constant time. */
async function findBySecret<Row extends Pick<TokenRow, 'hash'>>(
  db: Database,
  text: string,
  select: (id: string) => Fragment,
): Promise<Row | null> {
  const [id = '', secret = '', ...others] = text.split('.')
  if (others.length > 0) return null
  const [row] = await readRows<Row>(db, select(id))
  return row !== undefined && isSameHash(row.hash, sha256(secret)) ? row : null
}

/** Stores when a token was used. */
export async function touchToken(db: Database, { id }: TokenRow, now: number) {
  await db.exec(sql`update tokens set last_used_at = ${now} where id = ${id}`)
}

/** Returns a stored token's role; null for a role that this version does not know, which permits nothing. */
export function roleOf({ role, tenant_id }: Pick<TokenRow, 'role' | 'tenant_id'>): Role | null {
  // A tenant's token never administers other tenants, whatever its role.
  if (role === 'admin') return tenant_id === null ? 'admin' : 'client'
  return role === 'client' || role === 'receiver' ? role : null
}

/** Whether the stored last use of a token or a client is at least a minute old. */
export function isStale({ last_used_at }: Pick<TokenRow, 'last_used_at'>, now: number): boolean {
  return last_used_at === null || now - last_used_at >= MINUTE
}

/** Whether a token has expired. It is valid before that time, and not at it. */
export function isExpired({ expires_at }: Pick<TokenRow, 'expires_at'>, now: number): boolean {
  return expires_at !== null && expires_at <= now
}

/** Compares two strings in constant time. */
export function isSameText(a: string, b: string): boolean {
  return isSameHash(sha256(a), sha256(b))
}

/** Lists the tokens of a tenant or of the administrators, oldest first. */
export async function listTokens(
  db: Database,
  tenantId: string | null,
): Promise<readonly TokenRow[]> {
  const where = tenantId === null ? sql`tenant_id is null` : sql`tenant_id = ${tenantId}`
  return await readRows(db, sql`select ${raw(COLUMNS)} from tokens where ${where} order by id`)
}

/** Revokes a token; returns whether it existed. Its hash is kept, so `findKnownToken` recognizes it. */
export async function revokeToken(
  db: Database,
  { skipExisting }: Pick<SqlDialect, 'skipExisting'>,
  id: string,
  now: number,
): Promise<boolean> {
  await db.exec(
    sql`insert into revoked_tokens (id, tenant_id, hash, revoked_at)
      select id, tenant_id, hash, ${Math.trunc(now)} from tokens where id = ${id} ${raw(skipExisting(['id']))}`,
  )
  return (await db.exec(sql`delete from tokens where id = ${id}`)).affectedRows > 0
}

const COLUMNS = `id, tenant_id, name, hash, role, profile, user_id, created_at, last_used_at,
  expires_at, lifetime, access, replaces`
