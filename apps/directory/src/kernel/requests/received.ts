import type { Principal } from '../access/authenticate.ts'
import { requestIdOf } from './request-id.ts'
import type { ScimPath } from './scim-path.ts'

/** A request as the server received it. */
export interface Received {
  /** The id in the answer's `X-Request-Id` header. */
  readonly id: string
  /** The origin in resource locations; null for the request's origin. */
  readonly origin: string | null
  /** The connection's remote address, which may be a proxy's; null if it isn't known. */
  readonly address: string | null
  /** The path to the SCIM endpoints in the URL; null for other requests. */
  readonly scimPath: ScimPath | null
  /** The sender of an internal request, which the server itself makes on behalf of a signed-in administrator. */
  readonly grant: Principal | null
}

/** Notes how a request was received, before it is answered. */
export function receive(
  request: Request,
  { origin = null, address = null, scimPath = null, grant = null }: Partial<Received>,
): Received {
  const received = { id: requestIdOf(request), origin, address, scimPath, grant }
  // A property: a WeakMap with many short-lived keys costs a tenth of the server's processor time.
  ;(request as Holder)[RECEIVED] = received
  return received
}

/** Returns how a request was received, with defaults if the server has not received it. */
export function receivedOf(request: Request): Received {
  return (request as Holder)[RECEIVED] ?? receive(request, {})
}

/** Returns the origin a client sent the request to. */
export function originOf(request: Request, { origin }: Pick<Received, 'origin'>): string {
  return origin ?? new URL(request.url).origin
}

/** Returns the scheme the client used; behind a proxy, the one in `PUBLIC_URL`. */
export function schemeOf(request: Request): 'http' | 'https' {
  return (receivedOf(request).origin ?? request.url).startsWith('https:') ? 'https' : 'http'
}

interface Holder {
  [RECEIVED]?: Received
}

const RECEIVED: unique symbol = Symbol('received')
