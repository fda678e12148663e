import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, isNull, sql, type TableRow } from '@remix-run/data-table'
import { createId } from '../ids.ts'
import { equals } from './list/list.ts'
import { tenants, tokens } from './tables.ts'

/** What a token may do: provision resources, or manage tenants and tokens as well. */
export type Role = 'admin' | 'client'

/** The provider whose departures from the standard are taken. */
export type Profile = 'standard' | 'entra' | 'okta'

export type TokenRow = TableRow<typeof tokens>
export type TenantRow = TableRow<typeof tenants>

/** What a new token is about. */
export interface TokenOptions {
  /** Null for an administrator's token, which belongs to no tenant, and only for that. */
  readonly tenantId: string | null
  readonly name: string
  readonly role: Role
  readonly profile: Profile
  /** The user whom `/Me` shows. */
  readonly userId?: string | null
  readonly now: number
}

/** The tenant that exists from the start. */
export const DEFAULT_TENANT = 'default'

/** Makes a token: the text is shown this once, and only its hash is kept. */
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
    hash: hashOf(secret),
    role,
    profile,
    user_id: userId,
    created_at: now,
    last_used_at: null,
  }
  await db.create(tokens, row)
  return { row, text: `${id}.${secret}` }
}

/** The token that a text is, or null: found by its id, its secret compared in constant time. */
export async function findToken(db: Database, text: string): Promise<TokenRow | null> {
  const [id = '', secret = '', ...others] = text.split('.')
  if (others.length > 0) return null
  // Written out: every request asks for it.
  const { rows = [] } = await db.exec(sql`
    select id, tenant_id, name, hash, role, profile, user_id, created_at, last_used_at
    from tokens where id = ${id}`)
  const [row] = rows as unknown as readonly TokenRow[]
  return row !== undefined && isSameHash(row.hash, hashOf(secret)) ? row : null
}

/** Takes note that a token was used. */
export async function touchToken(db: Database, { id }: TokenRow, now: number) {
  await db.updateMany(tokens, { last_used_at: now }, { where: equals('id', id) as never })
}

/** Whether a token was used so long ago that it is worth a note. */
export function isStale({ last_used_at }: TokenRow, now: number): boolean {
  return last_used_at === null || now - last_used_at >= MINUTE
}

/** Compares two texts in a time that tells nothing of them. */
export function isSameText(a: string, b: string): boolean {
  return isSameHash(hashOf(a), hashOf(b))
}

/** The tokens of a tenant, or of the administrators, the oldest first. */
export async function listTokens(
  db: Database,
  tenantId: string | null,
): Promise<readonly TokenRow[]> {
  const where = tenantId === null ? isNull('tenant_id') : equals('tenant_id', tenantId)
  return await db
    .query(tokens)
    .where(where as never)
    .orderBy('id', 'asc')
    .all()
}

/** Takes a token back; tells whether there was one. */
export async function revokeToken(db: Database, id: string): Promise<boolean> {
  return (await db.deleteMany(tokens, { where: equals('id', id) as never })).affectedRows > 0
}

/** Makes a tenant. */
export async function createTenant(db: Database, row: TenantRow): Promise<TenantRow> {
  await db.create(tenants, row)
  return row
}

/** A tenant by its id, or null. */
export async function findTenant(db: Database, id: string): Promise<TenantRow | null> {
  return (await db.findOne(tenants, { where: equals('id', id) as never })) as TenantRow | null
}

/** All tenants, the oldest first. */
export async function listTenants(db: Database): Promise<readonly TenantRow[]> {
  return (await db.findMany(tenants, { orderBy: ['created_at', 'asc'] as never })) as TenantRow[]
}

/** What is kept of a text that nobody else may read. */
export function hashOf(text: string): string {
  return hash('sha256', text)
}

function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

const MINUTE = 60_000
