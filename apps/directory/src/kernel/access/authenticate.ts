import { type Profile, profileOf } from '../profiles.ts'
import type { Store } from '../store/store.ts'
import type { TokenRow } from '../store/tables.ts'
import { isAccessToken } from './access-token.ts'
import { checkAccessToken } from './check-access-token.ts'
import { DEFAULT_TENANT } from './tenant-store.ts'
import { lookUpTenant, lookUpToken } from './token-cache.ts'
import {
  type Access,
  findKnownToken,
  isExpired,
  isSameText,
  type KnownToken,
  type Role,
  roleOf,
} from './token-store.ts'

/** The sender of a request. */
export interface Principal {
  /** The token's id; null for `DIRECTORY_TOKEN`. */
  readonly tokenId: string | null
  /** The tenant whose resources it sees; for an administrator the tenant in the path, or the default tenant. */
  readonly tenantId: string
  readonly role: Role
  readonly profile: Profile
  readonly access: Access
  /** The user `/Me` returns, or null. */
  readonly userId: string | null
}

/** Options for `authenticate`. */
export interface AuthOptions {
  readonly store: Store
  /** The value of `DIRECTORY_TOKEN`, or null. */
  readonly token: string | null
  readonly now: () => number
}

/** Thrown if an administrator's request names a missing tenant in the path. */
export class TenantNotFoundError extends Error {
  override readonly name: string = 'TenantNotFoundError'

  constructor(tenantId: string) {
    super(`tenant ${tenantId} not found`)
  }
}

/**
 * Returns the principal for a request's bearer token (RFC 6750 §2.1); null if the token is missing or not valid.
 *
 * With a tenant in the path, an administrator acts in this tenant, and a client's token must belong to it. Throws a
 * `TenantNotFoundError` for an administrator if the tenant does not exist.
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

/** Moves a principal to the tenant in the path; null for another tenant's client. */
async function enterTenant(
  principal: Principal,
  tenantId: string,
  { store, now }: AuthOptions,
): Promise<Principal | null> {
  // A client doesn't learn whether another tenant exists.
  if (principal.role !== 'admin') return principal.tenantId === tenantId ? principal : null
  if ((await lookUpTenant(tenantId, store, now())) === null) throw new TenantNotFoundError(tenantId)
  // An administrator's user belongs to the default tenant, and ids are unique only within a tenant.
  const userId = tenantId === principal.tenantId ? principal.userId : null
  return { ...principal, tenantId, userId }
}

/** Returns a request's bearer token, or null. */
export function bearerOf({ headers }: Request): string | null {
  // The Headers class has already trimmed the value.
  return headers.get('Authorization')?.match(BEARER)?.[1] ?? null
}

/**
 * Reasons for rejecting credentials. `unknown` includes tokens whose tenant was deleted. The last three apply to an
 * OAuth client requesting an access token.
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

/** Why a request's credentials are rejected. Only the log says it: the client doesn't learn the reason. */
export interface Rejection {
  readonly reason: (typeof REJECTION_REASONS)[number]
  /** The token's tenant, which may differ from the path's; null if it isn't known. */
  readonly tenantId: string | null
  /** The id of a token or an OAuth client. */
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

/** Finds a valid or formerly valid token; null if it is unknown. */
async function findKnown(
  text: string,
  { store, now }: Pick<AuthOptions, 'store' | 'now'>,
): Promise<KnownToken | null> {
  if (text.length > MAX_TOKEN_LENGTH) return null
  if (!isAccessToken(text)) return await store.read((db) => findKnownToken(db, text))
  const { reason, token } = await checkAccessToken(text, store, now())
  if (token === null) return null
  const { clientId, tenantId, expiresAt } = token
  const is_revoked = reason === 'revoked' ? 1 : 0
  return { id: clientId, tenant_id: tenantId, expires_at: expiresAt, is_revoked }
}

/** Returns why a token is rejected; null if it is valid. */
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

/** Returns the state of a token's tenant. An administrator's token doesn't belong to one. */
async function stateOf(
  { tenant_id }: Pick<TokenRow, 'tenant_id'>,
  { store, now }: Pick<AuthOptions, 'store' | 'now'>,
): Promise<'active' | 'disabled' | 'deleted'> {
  if (tenant_id === null) return 'active'
  const tenant = await lookUpTenant(tenant_id, store, now())
  if (tenant === null) return 'deleted'
  return tenant.disabled_at === null ? 'active' : 'disabled'
}

/** Finds a token's principal; null if the token is unknown or has expired, or if the tenant is disabled or deleted. */
export async function findPrincipal(
  text: string,
  { store, token, now }: AuthOptions,
): Promise<Principal | null> {
  if (text.length > MAX_TOKEN_LENGTH) return null
  if (token !== null && isSameText(text, token)) return ROOT
  const time = now()
  if (isAccessToken(text)) return await findClientPrincipal(text, { store, now })
  const row = await lookUpToken(text, store, time)
  if (row === null || (await stateOf(row, { store, now })) !== 'active') return null
  return principalOf(row, time)
}

/** Finds the principal for an OAuth access token; null if the token is not valid. */
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

/** Converts a stored token to a principal; null if the token has expired, or if the role is unknown. */
export function principalOf(row: TokenRow, time: number): Principal | null {
  const role = roleOf(row)
  // A cached row may have expired since its look-up.
  if (role === null || isExpired(row, time)) return null
  return {
    tokenId: row.id,
    tenantId: row.tenant_id ?? DEFAULT_TENANT,
    role,
    profile: profileOf(row.profile),
    access: role === 'receiver' ? 'read' : accessOf(row.access),
    userId: row.user_id,
  }
}

/** The principal for `DIRECTORY_TOKEN`. */
export const ROOT: Principal = {
  tokenId: null,
  tenantId: DEFAULT_TENANT,
  role: 'admin',
  profile: 'standard',
  access: 'write',
  userId: null,
}
const BEARER = /^Bearer +([\w.~+/=-]+)$/i
const MAX_TOKEN_LENGTH = 500

/** Parses a token's access; unknown names become `read`. */
export function accessOf(text: string): Access {
  return text === 'write' ? 'write' : 'read'
}
