import type { Principal } from './auth/authenticate.ts'
import { requestIdOf } from './request-id.ts'
import type { ScimPath } from './scim-path.ts'

/** A request as the server received it. */
export interface Received {
  /** The id in the header `X-Request-Id` of its answer. */
  readonly id: string
  /** The origin in the locations of resources; null for the request's origin. */
  readonly origin: string | null
  /** The connection's address, which may be that of a proxy; null if it is not known. */
  readonly address: string | null
  /** The path of the SCIM endpoints in the URL; null for other requests. */
  readonly scimPath: ScimPath | null
  /** The sender of a request the server itself makes, on behalf of an administrator who has signed in. */
  readonly grant: Principal | null
}

/** Notes how a request was received, before it is answered. */
export function receive(
  request: Request,
  { origin = null, address = null, scimPath = null, grant = null }: Partial<Received>,
): Received {
  const received = { id: requestIdOf(request), origin, address, scimPath, grant }
  // A property: a WeakMap with many short-lived keys costs a tenth of the processor time of the server.
  ;(request as Holder)[RECEIVED] = received
  return received
}

/** Returns a request as the server received it, without facts if the server has not received it. */
export function receivedOf(request: Request): Received {
  return (request as Holder)[RECEIVED] ?? receive(request, {})
}

/** The origin at which a client sent a request. */
export function originOf(request: Request, { origin }: Pick<Received, 'origin'>): string {
  return origin ?? new URL(request.url).origin
}

interface Holder {
  [RECEIVED]?: Received
}

const RECEIVED: unique symbol = Symbol('received')
