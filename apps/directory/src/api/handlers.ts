import type { HandlersOf } from '@plumbline/openapi/server'
import { type AuthOptions, forgetTokens, type Principal, profileOf } from '../auth.ts'
import { faultOf } from '../store/faults.ts'
import {
  createTenant,
  createToken,
  DEFAULT_TENANT,
  findTenant,
  listTenants,
  listTokens,
  revokeToken,
  type TenantRow,
  type TokenRow,
} from '../store/tokens.ts'
import type { apiDocument } from './operations.ts'

/** The handlers of the management API. */
type ApiHandlers = HandlersOf<typeof apiDocument, { readonly token: () => Principal }>

/** The handlers that create and list tenants. */
export function tenantHandlers({
  store,
  now,
}: AuthOptions): Pick<ApiHandlers, 'listTenants' | 'createTenant'> {
  return {
    listTenants: async ({ reply }) => {
      const tenants = await store.read(listTenants)
      return reply(200, { tenants: tenants.map(tenantBody) })
    },
    createTenant: async ({ body, reply, problems }) => {
      const row = { ...body, created_at: now() }
      try {
        return reply(201, tenantBody(await store.write((db) => createTenant(db, row))))
      } catch (error) {
        if (faultOf(error) !== 'unique') throw error
        return problems.conflict({ detail: `Tenant ${row.id} already exists.` })
      }
    },
  }
}

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
      const created = await store.write(async (db) =>
        tenantId === null || (await findTenant(db, tenantId))
          ? await createToken(db, { ...options, tenantId, userId, now: now() })
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

function tenantBody({ id, name, created_at }: TenantRow) {
  return { id, name, createdAt: new Date(created_at).toISOString() }
}

function tokenBody(row: TokenRow) {
  const { id, tenant_id, name, role, profile, user_id, created_at, last_used_at } = row
  return {
    id,
    tenantId: tenant_id,
    name,
    role: role === 'admin' ? ('admin' as const) : ('client' as const),
    profile: profileOf(profile),
    userId: user_id,
    createdAt: new Date(created_at).toISOString(),
    lastUsedAt: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  }
}
