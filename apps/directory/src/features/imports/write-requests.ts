import { SCIM_PATH } from '../../kernel/requests/scim-path.ts'
import type { Store } from '../../kernel/store/store.ts'
import { type DirectoryContext, innerContext } from '../scim/context.ts'
import { createInnerEndpoint } from '../scim/endpoint.ts'
import type { Restored } from '../scim/scope.ts'
import type { TenantSchemas } from '../scim/tenant-schemas.ts'
import { writeWithSchemas } from '../scim/write-with-schemas.ts'

/** An import's SCIM request. */
export interface WriteRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the SCIM endpoint, such as `/Users`. */
  readonly path: string
  readonly body: unknown
  /** The resource's identity. Defaults to a new one, created now. */
  readonly restored?: Restored | undefined
}

/** A request rejected like a client's would be. */
export interface RejectedWrite {
  readonly at: number
  readonly reason: string
}

/** Sends requests to a tenant's SCIM endpoint in one transaction. If one is rejected, nothing is written. */
export type Write = (requests: readonly WriteRequest[]) => Promise<RejectedWrite | null>

/** The import options the requests need. */
export interface WriteOptions {
  readonly store: Store
  readonly tenantId: string
  readonly schemas: TenantSchemas
  readonly now: () => number
}

/** Creates the function that sends an import's requests. It rejects with the database's error. */
export function createWrite({ store, tenantId, schemas, now }: WriteOptions): Write {
  const contexts = new WeakMap<Request, DirectoryContext>()
  const faults = new WeakMap<Request, unknown>()
  const endpoint = createInnerEndpoint(schemas.types, {
    limits: LIMITS,
    authenticate: async (request) => contexts.get(request) ?? null,
    onError: (error, { request }) => void faults.set(request, faults.get(request) ?? error),
  })
  const send = async (
    { method, path, body, restored }: WriteRequest,
    open: DirectoryContext,
  ): Promise<string | null> => {
    const headers = { 'Content-Type': 'application/scim+json' }
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
    const request = new Request(`http://localhost${SCIM_PATH}${path}?attributes=id`, init)
    const subject = { resourceId: null, userName: null }
    contexts.set(request, { ...open, subject, ...(restored && { restored }) })
    const response = await endpoint.fetch(request)
    if (response.ok) {
      await response.body?.cancel()
      return null
    }
    const { detail } = (await response.json()) as { readonly detail?: string }
    const reason = detail ?? `status ${response.status}`
    if (response.status < 500) return reason
    throw faults.get(request) ?? new Error(reason)
  }
  const context = innerContext({ store, tenantId, schemas, now })
  return async (requests) => {
    try {
      await writeWithSchemas(context, async (open) => {
        for (const [at, request] of requests.entries()) {
          const reason = await send(request, open)
          if (reason !== null) throw new RejectedError(at, reason)
        }
      })
      return null
    } catch (error) {
      if (error instanceof RejectedError) return { at: error.at, reason: error.message }
      throw error
    }
  }
}

/** Rolls back a transaction after one request was rejected. */
class RejectedError extends Error {
  override readonly name: string = 'RejectedError'
  readonly at: number

  constructor(at: number, reason: string) {
    super(reason)
    this.at = at
  }
}

/** A group may have a hundred thousand members, and the resource was accepted before. */
const LIMITS = {
  body: 128 * 2 ** 20,
  values: 1_000_000,
  steps: 1_000_000_000,
  writeTime: 60 * 60_000,
}
