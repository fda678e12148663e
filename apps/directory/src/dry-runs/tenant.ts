import type { Profile } from '../profiles.ts'
import { SCIM_PATH } from '../requests/scim-path.ts'
import { type DirectoryContext, innerContext } from '../scim/context.ts'
import { createInnerEndpoint } from '../scim/endpoint.ts'
import type { Store } from '../store/store.ts'
import { lookUpSchemas, type TenantSchemas } from '../tenants/schemas.ts'

/** A tenant in a store, and how to send it requests. */
export interface Tenant {
  readonly store: Store
  readonly id: string
  readonly schemas: TenantSchemas
  /** Answers a request like the SCIM endpoint would for a client with this profile; `standard` by default. */
  send(request: Request, profile?: Profile): Promise<Response>
}

/** The base URL for requests to a tenant. */
export const BASE: string = `http://localhost${SCIM_PATH}`

/** Opens a tenant, which must exist. */
export async function openTenant(store: Store, id: string, now: () => number): Promise<Tenant> {
  const schemas = await lookUpSchemas(id, store, now())
  const contexts = new WeakMap<Request, DirectoryContext>()
  const endpoint = createInnerEndpoint(schemas.types, {
    authenticate: async (request) => contexts.get(request) ?? null,
  })
  return {
    store,
    id,
    schemas,
    send: async (request, profile = 'standard') => {
      contexts.set(request, innerContext({ store, tenantId: id, schemas, now, profile }))
      return await endpoint.fetch(request)
    },
  }
}
