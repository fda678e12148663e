import type { HandlersOf } from '@plumbline/openapi/server'
import { type AuthOptions, profileOf } from '../auth.ts'
import {
  createToken,
  DEFAULT_TENANT,
  findTenant,
  isExpired,
  listTokens,
  revokeToken,
  type TokenRow,
} from '../store/tokens.ts'
import { forgetTokens } from '../token-cache.ts'
import type { apiDocument } from './operations.ts'
import type { ApiVerifiers } from './verifiers.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** The handlers that create, list and revoke tokens. */
export function tokenHandlers({
  store,
  now,
}: AuthOptions): Pick<ApiHandlers, 'listTokens' | 'createToken' | 'revokeToken'> {
  return {
    listTokens: async ({ query: { tenantId }, reply }) => {
      const owners = tenantId === undefined ? [null, DEFAULT_TENANT] : [tenantId]
      const tokens = await store.read(async (db) => {
        const lists = await Promise.all(owners.map((owner) => listTokens(db, owner)))
        return lists.flat()
      })
      return reply(200, { tokens: tokens.map(tokenBody) })
    },
    createToken: async ({ body, reply, problems }) => {
      const { userId = null, tenantId: asked = DEFAULT_TENANT, ...options } = body
      const tenantId = options.role === 'admin' ? null : asked
      const time = now()
      const expiresAt = timeOf(options.expiresAt)
      if (isExpired({ expires_at: expiresAt }, time)) return problems.invalid(NOT_IN_THE_FUTURE)
      const created = await store.write(async (db) =>
        tenantId === null || (await findTenant(db, tenantId))
          ? await createToken(db, { ...options, tenantId, userId, expiresAt, now: time })
          : null,
      )
      if (created === null) {
        return problems.notFound({ detail: `Tenant ${tenantId} not found.` })
      }
      return reply(201, { ...tokenBody(created.row), token: created.text })
    },
    revokeToken: async ({ params: { tokenId }, reply, problems }) => {
      const revoked = await store.write((db) => revokeToken(db, store.dialect, tokenId, now()))
      if (!revoked) return problems.notFound()
      forgetTokens(store)
      return reply(204)
    },
  }
}

function tokenBody(row: TokenRow) {
  const { id, tenant_id, name, role, profile, user_id, created_at, last_used_at, expires_at } = row
  return {
    id,
    tenantId: tenant_id,
    name,
    role: role === 'admin' ? ('admin' as const) : ('client' as const),
    profile: profileOf(profile),
    userId: user_id,
    createdAt: new Date(created_at).toISOString(),
    lastUsedAt: textOf(last_used_at),
    expiresAt: textOf(expires_at),
  }
}

/** A time in milliseconds since 1970. */
function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

function textOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

const NOT_IN_THE_FUTURE = {
  extensions: {
    issues: [{ location: 'body', pointer: '/expiresAt', detail: 'must be in the future' }],
  },
} as const
