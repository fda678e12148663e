import { randomBytes } from 'node:crypto'
import type { AuthOptions, Principal } from '../../kernel/access/authenticate.ts'
import type { Session } from '../../kernel/access/sessions.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import { forgetTokens } from '../../kernel/access/token-cache.ts'
import {
  type CreatedToken,
  createToken,
  revokeToken,
  type TokenOptions,
} from '../../kernel/access/token-store.ts'
import { sha256 } from '../../kernel/store/sha256.ts'
import type { TenantRow } from '../../kernel/store/tables.ts'
import {
  findSetupLink,
  findSetupSession,
  openSetupLink,
  type SetupLinkRow,
  setSetupToken,
} from './store.ts'

/** The session of a customer's administrator, which opening a set-up link starts. It ends with the link. */
export interface SetupSession extends Session {
  readonly link: SetupLinkRow
  readonly tenant: TenantRow
}

type Options = Pick<AuthOptions, 'store' | 'now'>

/** A link that can be opened, and its tenant. */
export type OpenableLink = Pick<SetupSession, 'link' | 'tenant'>

/** Reads a set-up link's state. Links of disabled or deleted tenants are unknown. */
export async function readSetupLink(
  text: string,
  { store, now }: Options,
): Promise<'unknown' | 'expired' | 'opened' | OpenableLink> {
  if (!LINK.test(text)) return 'unknown'
  const found = await store.read(async (db) => {
    const link = await findSetupLink(db, text)
    const tenant = link && (await findTenant(db, link.tenant_id))
    return link !== null && tenant?.disabled_at === null ? { link, tenant } : null
  })
  if (found === null) return 'unknown'
  if (found.link.opened_at !== null) return 'opened'
  return found.link.expires_at <= now() ? 'expired' : found
}

/** Opens a link, and returns its session's secret. If two browsers open it at the same time, one succeeds. */
export async function openSetupSession(
  text: string,
  options: Options,
): Promise<
  'unknown' | 'expired' | 'opened' | { readonly secret: string; readonly link: SetupLinkRow }
> {
  const found = await readSetupLink(text, options)
  if (typeof found === 'string') return found
  const { link } = found
  const secret = randomBytes(32).toString('base64url')
  const opening = { sessionHash: sha256(secret), now: options.now() }
  const isOpened = await options.store.write((db) => openSetupLink(db, link.id, opening))
  return isOpened ? { secret, link } : 'opened'
}

/** Finds a cookie's session; null if its link has expired or was revoked, or if its tenant is disabled or deleted. */
export async function findSetup(
  secret: string,
  { store, now }: Options,
): Promise<SetupSession | null> {
  if (!SECRET.test(secret)) return null
  return await store.read(async (db) => {
    const link = await findSetupSession(db, sha256(secret))
    if (link === null || link.expires_at <= now()) return null
    const tenant = await findTenant(db, link.tenant_id)
    if (tenant?.disabled_at !== null) return null
    return { secret, link, tenant, principal: principalOf(tenant.id) }
  })
}

/**
 * Creates a link's token and revokes the previous one. Null if the link has ended or has got another token meanwhile.
 */
export async function createSetupToken(
  { link, tenant }: SetupSession,
  token: Pick<TokenOptions, 'name' | 'profile' | 'expiresAt'>,
  { store, now }: Options,
): Promise<CreatedToken | null> {
  const time = now()
  const created = await store.write(async (db) => {
    const made = await createToken(db, { ...token, tenantId: tenant.id, role: 'client', now: time })
    if (!(await setSetupToken(db, link, made.row.id))) {
      await revokeToken(db, store.dialect, made.row.id, time)
      return null
    }
    if (link.token_id !== null) await revokeToken(db, store.dialect, link.token_id, time)
    return made
  })
  forgetTokens(store)
  return created
}

/** A customer's administrator may read the tenant's schemas, and nothing in other tenants. */
function principalOf(tenantId: string): Principal {
  return {
    tokenId: null,
    tenantId,
    role: 'client',
    profile: 'standard',
    access: 'write',
    userId: null,
  }
}

/** An id, and 32 bytes in base64url. */
const LINK = /^[0-9a-f-]{36}\.[\w-]{43}$/
const SECRET = /^[\w-]{43}$/
