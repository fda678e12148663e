import {
  createScimEndpoint,
  type ProfileName,
  type ResourceType,
  type ScimEndpointOptions,
} from '@plumbline/scim/endpoint'
import type { Fetch } from '../http/transport.ts'
import { BASE } from './client.ts'

/** Empty stores, as an endpoint serves them. */
export interface StoresUnderTest<Context extends object = object>
  extends Pick<ScimEndpointOptions<Context>, 'resourceTypes' | 'transaction' | 'toScimError'> {
  /** The requests' context; an empty object by default. */
  readonly context?: Context
  /** Another context, such as another tenant, whose requests must not reach the resources of the first. */
  readonly otherContext?: Context
  /** Called after each check, such as to close the database. Checks that share stores close them once. */
  close?(): Promise<void> | void
}

/** How stores are served. */
export interface ServeOptions {
  readonly profile?: ProfileName | undefined
  /** Whether the requests are those of the other context. */
  readonly isOther?: boolean
}

/**
 * Serves resource types over the stores, and returns the function that answers requests. A 500 shows the internal error
 * as its detail.
 */
export function serve<Context extends object>(
  { transaction, toScimError, context, otherContext }: StoresUnderTest<Context>,
  resourceTypes: readonly ResourceType<Context>[],
  { profile = 'standard', isOther = false }: ServeOptions = {},
): Fetch {
  // Stores that do not use a context accept any.
  const own = ((isOther ? otherContext : context) ?? {}) as Context
  const faults = new WeakMap<Request, unknown>()
  const endpoint = createScimEndpoint<Context>({
    basePath: new URL(BASE).pathname,
    resourceTypes,
    authenticate: async () => own,
    profile,
    transaction,
    toScimError,
    onError: (error, { request }) => void faults.set(request, error),
  })
  return async (request) => {
    const response = await endpoint.fetch(request)
    if (!faults.has(request)) return response
    const { status, headers } = response
    const body: unknown = await response.json()
    const detail = String(faults.get(request))
    return Response.json({ ...Object(body), detail }, { status, headers })
  }
}
