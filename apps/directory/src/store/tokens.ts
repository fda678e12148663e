import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, isNull, rawSql, sql, type TableRow } from '@remix-run/data-table'
import { createId } from '../ids.ts'
import type { Profile } from '../profiles.ts'
import { equals } from './predicates.ts'
import { sha256 } from './sha256.ts'
import type { SqlDialect } from './store.ts'
import { readRows, tenants, tokens } from './tables.ts'

/** The permissions of a token: a client provisions resources, an admin also manages tenants and tokens. */
export type Role = 'admin' | 'client'

/** A stored token: its hash, not the token itself. */
export type TokenRow = TableRow<typeof tokens>
/** A token that was revoked. */
export type RevokedToken = Pick<TokenRow, 'id' | 'tenant_id'>
/** A stored tenant. */
export type TenantRow = TableRow<typeof tenants>

/** The properties of a new token. */
export interface TokenOptions {
  /** Null for an administrator's token, and only for that. */
  readonly tenantId: string | null
  readonly name: string
  readonly role: Role
  readonly profile: Profile
  /** The user that `/Me` returns. */
  readonly userId?: string | null
  readonly now: number
}

/** The tenant that the first start creates. */
export const DEFAULT_TENANT = 'default'

/** Creates a token. Only the result contains the token itself: the database stores a hash. */
export async function createToken(
  db: Database,
  { tenantId, name, role, profile, userId = null, now }: TokenOptions,
): Promise<{ readonly row: TokenRow; readonly text: string }> {
  const id = createId(now)
  const secret = randomBytes(32).toString('base64url')
  const row: TokenRow = {
    id,
    tenant_id: tenantId,
    name,
    hash: sha256(secret),
    role,
    profile,
    user_id: userId,
    created_at: now,
    last_used_at: null,
  }
  await db.create(tokens, row)
  return { row, text: `${id}.${secret}` }
}

/** Finds the stored token of a bearer token, or returns null. The secret is compared in constant time. */
export async function findToken(db: Database, text: string): Promise<TokenRow | null> {
  const [id = '', secret = '', ...others] = text.split('.')
  if (others.length > 0) return null
  // A statement by hand, because every request runs it.
  const statement = sql`
    select id, tenant_id, name, hash, role, profile, user_id, created_at, last_used_at
    from tokens where id = ${id}`
  const [row] = await readRows<TokenRow>(db, statement)
  return row !== undefined && isSameHash(row.hash, sha256(secret)) ? row : null
}

/** Finds the token that a bearer token was before it was revoked, or returns null. */
export async function findRevoked(db: Database, text: string): Promise<RevokedToken | null> {
  const [id = '', secret = '', ...others] = text.split('.')
  if (others.length > 0) return null
  const statement = sql`select id, tenant_id, hash from revoked_tokens where id = ${id}`
  const [row] = await readRows<RevokedToken & Pick<TokenRow, 'hash'>>(db, statement)
  return row !== undefined && isSameHash(row.hash, sha256(secret)) ? row : null
}

/** Stores the time at which a token was used. */
export async function touchToken(db: Database, { id }: TokenRow, now: number) {
  await db.updateMany(tokens, { last_used_at: now }, { where: equals('id', id) })
}

/** Whether the stored time of a token's last use is a minute old or more. */
export function isStale({ last_used_at }: TokenRow, now: number): boolean {
  return last_used_at === null || now - last_used_at >= MINUTE
}

/** Compares two strings in a time that does not depend on their content. */
export function isSameText(a: string, b: string): boolean {
  return isSameHash(sha256(a), sha256(b))
}

/** The tokens of a tenant, or of the administrators, the oldest first. */
export async function listTokens(
  db: Database,
  tenantId: string | null,
): Promise<readonly TokenRow[]> {
  const where = tenantId === null ? isNull('tenant_id') : equals('tenant_id', tenantId)
  return await db.query(tokens).where(where).orderBy('id', 'asc').all()
}

/** Revokes a token; returns whether it existed. Its hash is kept, so that `findRevoked` recognizes it. */
export async function revokeToken(
  db: Database,
  { skipExisting }: Pick<SqlDialect, 'skipExisting'>,
  id: string,
  now: number,
): Promise<boolean> {
  await db.exec(
    rawSql(
      `insert into revoked_tokens (id, tenant_id, hash, revoked_at)
      select id, tenant_id, hash, ${Math.trunc(now)} from tokens where id = ? ${skipExisting(['id'])}`,
      [id],
    ),
  )
  return (await db.deleteMany(tokens, { where: equals('id', id) })).affectedRows > 0
}

/** Creates a tenant. */
export async function createTenant(db: Database, row: TenantRow): Promise<TenantRow> {
  await db.create(tenants, row)
  return row
}

/** A tenant by its id, or null. */
export async function findTenant(db: Database, id: string): Promise<TenantRow | null> {
  return (await db.findOne(tenants, { where: equals('id', id) })) as TenantRow | null
}

/** All tenants, the oldest first. */
export async function listTenants(db: Database): Promise<readonly TenantRow[]> {
  return (await db.findMany(tenants, { orderBy: ['created_at', 'asc'] })) as TenantRow[]
}

function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

const MINUTE = 60_000
