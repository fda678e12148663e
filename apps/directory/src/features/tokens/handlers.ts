import type { HandlersOf } from '@plumbline/openapi/server'
import { isFailure } from '@plumbline/result'
import { type AuthOptions, accessOf } from '../../kernel/access/authenticate.ts'
import { DEFAULT_TENANT, findTenant } from '../../kernel/access/tenant-store.ts'
import { forgetTokens } from '../../kernel/access/token-cache.ts'
import {
  type CreatedToken,
  createToken,
  isExpired,
  listTokens,
  revokeToken,
  roleOf,
} from '../../kernel/access/token-store.ts'
import { isoTime } from '../../kernel/clock.ts'
import { profileOf } from '../../kernel/profiles.ts'
import type { TokenRow } from '../../kernel/store/tables.ts'
import { findMissing, pointersTo } from '../../shell/api/missing-ids.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { rotateToken } from './rotate-token.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handlers that create, list, rotate and revoke tokens. */
export function tokenHandlers({
  store,
  now,
}: AuthOptions): Pick<ApiHandlers, 'listTokens' | 'createToken' | 'revokeToken' | 'rotateToken'> {
  return {
    listTokens: async ({ query: { tenantId }, reply }) => {
      const owners = tenantId === undefined ? [null, DEFAULT_TENANT] : [tenantId]
      const tokens = await store.read(async (db) => {
        const lists = await Promise.all(owners.map((owner) => listTokens(db, owner)))
        return lists.flat()
      })
      const replacements = new Map(tokens.map(({ id, replaces }) => [replaces, id]))
      const bodies = tokens.map((row) => tokenBody(row, replacements.get(row.id)))
      return reply(200, { tokens: bodies })
    },
    createToken: async ({ body, reply, problems }) => {
      const { userId = null, tenantId: asked = DEFAULT_TENANT, ...options } = body
      const { access = options.role === 'receiver' ? 'read' : 'write' } = options
      const tenantId = options.role === 'admin' ? null : asked
      const time = now()
      const expiresAt = timeOf(options.expiresAt)
      if (isExpired({ expires_at: expiresAt }, time)) return problems.invalid(NOT_IN_THE_FUTURE)
      const created = await store.write(async (db) => {
        if (tenantId !== null && !(await findTenant(db, tenantId))) return null
        // The user of an administrator belongs to the default tenant.
        const owner = tenantId ?? DEFAULT_TENANT
        const missing = await findMissing(db, owner, 'User', pointersTo(userId))
        if (missing !== null) return missing
        return await createToken(db, { ...options, access, tenantId, userId, expiresAt, now: time })
      })
      if (created === null) {
        return problems.notFound({ detail: `Tenant ${tenantId} not found.` })
      }
      return 'extensions' in created ? problems.invalid(created) : reply(201, createdBody(created))
    },
    revokeToken: async ({ params: { tokenId }, reply, problems }) => {
      const revoked = await store.write((db) => revokeToken(db, store.dialect, tokenId, now()))
      if (!revoked) return problems.notFound()
      forgetTokens(store)
      return reply(204)
    },
    rotateToken: async ({ params: { tokenId }, body, reply, problems }) => {
      const time = now()
      const expiresAt = body.expiresAt === undefined ? undefined : timeOf(body.expiresAt)
      if (expiresAt !== undefined && isExpired({ expires_at: expiresAt }, time)) {
        return problems.invalid(NOT_IN_THE_FUTURE)
      }
      const options = { overlap: body.overlapSeconds * 1_000, expiresAt, now: time }
      const rotated = await store.write((db) => rotateToken(db, store.dialect, tokenId, options))
      if (isFailure(rotated)) {
        const { code, message: detail } = rotated.error
        return code === 'not-found' ? problems.notFound() : problems.notRotatable({ detail })
      }
      forgetTokens(store)
      return reply(201, createdBody(rotated.data))
    },
  }
}

function createdBody({ row, text }: CreatedToken) {
  return { ...tokenBody(row), token: text }
}

function tokenBody(row: TokenRow, replacedBy: string | null = null) {
  const { id, tenant_id, name, profile, user_id, created_at, last_used_at, expires_at } = row
  return {
    id,
    tenantId: tenant_id,
    name,
    role: roleOf(row),
    profile: profileOf(profile),
    access: accessOf(row.access),
    userId: user_id,
    createdAt: new Date(created_at).toISOString(),
    lastUsedAt: isoTime(last_used_at),
    expiresAt: isoTime(expires_at),
    replaces: row.replaces,
    replacedBy,
  }
}

/** Parses a time to milliseconds since 1970. */
function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

const NOT_IN_THE_FUTURE = {
  extensions: {
    issues: [{ location: 'body', pointer: '/expiresAt', detail: 'must be in the future' }],
  },
} as const
