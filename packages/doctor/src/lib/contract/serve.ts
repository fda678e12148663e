import {
  createScimEndpoint,
  type ProfileName,
  type ResourceStore,
  type ResourceType,
  type ScimEndpointOptions,
} from '@plumbline/scim/endpoint'
import type { SendOptions } from '../http/exchange.ts'
import type { Fetch } from '../http/transport.ts'

/** The base URL of the endpoint over the stores. */
export const BASE = 'https://scim.example/scim/v2'

/** Stores, as an endpoint serves them. */
export interface StoresUnderTest<Context extends object = object>
  extends Pick<ScimEndpointOptions<Context>, 'resourceTypes' | 'transaction' | 'toScimError'> {
  /** The requests' context; an empty object by default. */
  readonly context?: Context
  /** Another context, such as another tenant, whose requests must not reach the first one's resources. */
  readonly otherContext?: Context
  /** Called after a topic's checks, such as to close the database. */
  close?(): Promise<void> | void
}

/** Request options for the other context. */
export const AS_OTHER: SendOptions = { headers: { 'X-Contract': 'other' } }

/** Request options that make writes throw after the store has done them. */
export const FAILING: SendOptions = { headers: { 'X-Contract': 'failing' } }

/**
 * Serves resource types over the stores, and returns the function that answers requests. A 500 shows the internal error
 * as its detail. A write ends after `writeTime` (ms), so its transaction releases the connection.
 */
export function serve<Context extends object>(
  stores: StoresUnderTest<Context>,
  writeTime: number,
  profile: ProfileName = 'standard',
): Fetch {
  const { resourceTypes, context, otherContext } = stores
  const faults = new WeakMap<Request, unknown>()
  const serveAs = (types: readonly ResourceType<Context>[], own: object = {}): Fetch => {
    const { fetch } = createScimEndpoint<Context>({
      basePath: new URL(BASE).pathname,
      resourceTypes: types,
      // Stores without a context accept any.
      authenticate: async () => own as Context,
      profile,
      limits: { writeTime },
      transaction: stores.transaction,
      toScimError: stores.toScimError,
      onError: (error, { request }) => void faults.set(request, error),
    })
    return fetch
  }
  const usual = serveAs(resourceTypes, context)
  const others: Readonly<Record<string, Fetch>> = {
    other: serveAs(resourceTypes, otherContext),
    failing: serveAs(resourceTypes.map(failing), context),
  }
  return async (request) => {
    const answer = others[request.headers.get('X-Contract') ?? ''] ?? usual
    const response = await answer(request)
    if (!faults.has(request)) return response
    const { status, headers } = response
    const body: unknown = await response.json()
    const detail = String(faults.get(request))
    return Response.json({ ...Object(body), detail }, { status, headers })
  }
}

/** The resource type with a store whose writes throw after the store has done them. */
function failing<Context>(type: ResourceType<Context>): ResourceType<Context> {
  const { store } = type
  const fail = async (work: Promise<unknown>): Promise<never> => {
    await work
    throw new Error('the write fails on purpose')
  }
  const wrapped: ResourceStore<Context> = {
    read: (...call) => store.read(...call),
    list: (...call) => store.list(...call),
    create: (...call) => fail(store.create(...call)),
    replace: (...call) => fail(store.replace(...call)),
    delete: (...call) => fail(store.delete(...call)),
    ...(store.changeMembers && {
      changeMembers: (...call) => fail(Promise.resolve(store.changeMembers?.(...call))),
      findMembers: async (...call) => (await store.findMembers?.(...call)) ?? [],
    }),
    ...(store.removeReferences && {
      removeReferences: async (...call) => store.removeReferences?.(...call),
    }),
  }
  return { ...type, store: wrapped }
}
