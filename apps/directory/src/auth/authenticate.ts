import { type Profile, profileOf } from '../profiles.ts'
import type { Store } from '../store/store.ts'
import type { TokenRow } from '../store/tables.ts'
import {
  type Access,
  DEFAULT_TENANT,
  findKnownToken,
  isExpired,
  isSameText,
  type KnownToken,
  type Role,
} from '../store/tokens.ts'
import { isAccessToken } from './oauth/access-token.ts'
import { checkAccessToken } from './oauth/check-access-token.ts'
import { lookUpTenant, lookUpToken } from './token-cache.ts'

/** The sender of a request. */
export interface Principal {
  /** The id of its token; null for that of `DIRECTORY_TOKEN`. */
  readonly tokenId: string | null
  /** The tenant whose resources it sees; for an administrator the tenant of the path, or the default tenant. */
  readonly tenantId: string
  readonly role: Role
  readonly profile: Profile
  readonly access: Access
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

/** An administrator has sent a request to the path of a tenant that does not exist. */
export class TenantNotFoundError extends Error {
  override readonly name: string = 'TenantNotFoundError'

  constructor(tenantId: string) {
    super(`tenant ${tenantId} not found`)
  }
}

/**
 * The principal of the bearer token of a request (RFC 6750 §2.1); null if it is missing or not valid.
 *
 * With the tenant of the path, an administrator acts in this tenant, and the token of a client must belong to it.
 * Throws a `TenantNotFoundError` for an administrator if this tenant does not exist.
 */
export async function authenticate(
  request: Request,
  options: AuthOptions,
  tenantId: string | null = null,
): Promise<Principal | null> {
  const text = bearerOf(request)
  const principal = text === null ? null : await findPrincipal(text, options)
  if (principal === null || tenantId === null) return principal
  return await enterTenant(principal, tenantId, options)
}

/** The principal in the tenant of a path; null for a client of another tenant. */
async function enterTenant(
  principal: Principal,
  tenantId: string,
  { store, now }: AuthOptions,
): Promise<Principal | null> {
  // A client does not learn whether another tenant exists.
  if (principal.role !== 'admin') return principal.tenantId === tenantId ? principal : null
  if ((await lookUpTenant(tenantId, store, now())) === null) throw new TenantNotFoundError(tenantId)
  // The user of the token is a user of the default tenant, and ids are unique only within a tenant.
  const userId = tenantId === principal.tenantId ? principal.userId : null
  return { ...principal, tenantId, userId }
}

/** The bearer token of a request, or null. */
export function bearerOf({ headers }: Request): string | null {
  // The Headers class has removed the white space around the value.
  return headers.get('Authorization')?.match(BEARER)?.[1] ?? null
}

/**
 * The reasons for which credentials are rejected; `unknown` also for a token of a tenant that was deleted. The last
 * three are those of an OAuth client that requests an access token.
 */
export const REJECTION_REASONS = [
  'missing',
  'unknown',
  'revoked',
  'expired',
  'other-tenant',
  'disabled',
  'unknown-client',
  'wrong-secret',
  'wrong-assertion',
] as const

/** Why the credentials of a request are rejected, for the log: the client is not told. */
export interface Rejection {
  readonly reason: (typeof REJECTION_REASONS)[number]
  /** The tenant of the token, which may not be that of the path; null if it is not known. */
  readonly tenantId: string | null
  /** The id of the token, or of an OAuth client. */
  readonly tokenId: string | null
}

/** Explains why `authenticate` returned null for a request. */
export async function explainRejection(
  request: Request,
  { store, now }: Pick<AuthOptions, 'store' | 'now'>,
  tenantId: string | null = null,
): Promise<Rejection> {
  const text = bearerOf(request)
  if (text === null) return { reason: 'missing', tenantId: null, tokenId: null }
  return await explainToken(text, { store, now }, tenantId)
}

/** Explains why a token is rejected. */
export async function explainToken(
  text: string,
  { store, now }: Pick<AuthOptions, 'store' | 'now'>,
  tenantId: string | null = null,
): Promise<Rejection> {
  const known = await findKnown(text, { store, now })
  const reason = known === null ? null : await reasonOf(known, tenantId, { store, now })
  if (known === null || reason === null) return { reason: 'unknown', tenantId: null, tokenId: null }
  return { reason, tenantId: known.tenant_id ?? DEFAULT_TENANT, tokenId: known.id }
}

/** The token that a bearer token is or was; null if it is unknown. */
async function findKnown(
  text: string,
  { store, now }: Pick<AuthOptions, 'store' | 'now'>,
): Promise<KnownToken | null> {
  if (text.length > LONGEST_TOKEN) return null
  if (!isAccessToken(text)) return await store.read((db) => findKnownToken(db, text))
  const { reason, token } = await checkAccessToken(text, store, now())
  if (token === null) return null
  const { clientId, tenantId, expiresAt } = token
  const is_revoked = reason === 'revoked' ? 1 : 0
  return { id: clientId, tenant_id: tenantId, expires_at: expiresAt, is_revoked }
}

/** Why a token is rejected; null if it is valid. */
async function reasonOf(
  token: KnownToken,
  tenantId: string | null,
  options: Pick<AuthOptions, 'store' | 'now'>,
): Promise<Rejection['reason'] | null> {
  if (token.is_revoked !== 0) return 'revoked'
  if (isExpired(token, options.now())) return 'expired'
  const isForeign = tenantId !== null && token.tenant_id !== null && token.tenant_id !== tenantId
  if (isForeign) return 'other-tenant'
  return (await stateOf(token, options)) === 'disabled' ? 'disabled' : null
}

/** The state of the tenant of a token. An administrator's token does not belong to one. */
async function stateOf(
  { tenant_id }: Pick<TokenRow, 'tenant_id'>,
  { store, now }: Pick<AuthOptions, 'store' | 'now'>,
): Promise<'active' | 'disabled' | 'deleted'> {
  if (tenant_id === null) return 'active'
  const tenant = await lookUpTenant(tenant_id, store, now())
  if (tenant === null) return 'deleted'
  return tenant.disabled_at === null ? 'active' : 'disabled'
}

/** The principal of a token; null if it is unknown or has expired, or if its tenant is disabled or deleted. */
export async function findPrincipal(
  text: string,
  { store, token, now }: AuthOptions,
): Promise<Principal | null> {
  if (text.length > LONGEST_TOKEN) return null
  if (token !== null && isSameText(text, token)) return ROOT
  const time = now()
  if (isAccessToken(text)) return await findClientPrincipal(text, { store, now })
  const row = await lookUpToken(text, store, time)
  if (row === null || (await stateOf(row, { store, now })) !== 'active') return null
  return principalOf(row, time)
}

/** The principal of an access token of an OAuth client; null if it is not valid. */
async function findClientPrincipal(
  text: string,
  options: Pick<AuthOptions, 'store' | 'now'>,
): Promise<Principal | null> {
  const checked = await checkAccessToken(text, options.store, options.now())
  if (checked.reason !== null) return null
  const { token, client } = checked
  if ((await stateOf(client, options)) !== 'active') return null
  return {
    tokenId: client.id,
    tenantId: client.tenant_id,
    role: 'client',
    profile: profileOf(client.profile),
    access: accessOf(client.access) === 'read' ? 'read' : token.access,
    userId: client.user_id,
  }
}

/** The principal of a stored token; null if it has expired. */
export function principalOf(row: TokenRow, time: number): Principal | null {
  // A row that was looked up before its expiry may be cached.
  if (isExpired(row, time)) return null
  return {
    tokenId: row.id,
    tenantId: row.tenant_id ?? DEFAULT_TENANT,
    // A token of a tenant never administers other tenants, whatever its role.
    role: row.role === 'admin' && row.tenant_id === null ? 'admin' : 'client',
    profile: profileOf(row.profile),
    access: accessOf(row.access),
    userId: row.user_id,
  }
}

/** The principal of `DIRECTORY_TOKEN`. */
export const ROOT: Principal = {
  tokenId: null,
  tenantId: DEFAULT_TENANT,
  role: 'admin',
  profile: 'standard',
  access: 'write',
  userId: null,
}
const BEARER = /^Bearer +([\w.~+/=-]+)$/i
const LONGEST_TOKEN = 500

/** The access of a token; `read` if its name is unknown. */
export function accessOf(text: string): Access {
  return text === 'write' ? 'write' : 'read'
}
