import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../auth.ts'
import { faultOf } from '../store/faults.ts'
import { createTenant, listTenants, type TenantRow } from '../store/tokens.ts'
import type { apiDocument } from './operations.ts'
import type { ApiVerifiers } from './verifiers.ts'

/** The handlers of the management API. */
type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

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

function tenantBody({ id, name, created_at }: TenantRow) {
  return { id, name, createdAt: new Date(created_at).toISOString() }
}
