import type { ClientLimits } from '../rate-limit/client-limits.ts'
import {
  type AuthOptions,
  authenticate,
  bearerOf,
  explainRejection,
  explainToken,
  type Principal,
  type Rejection,
} from './authenticate.ts'
import { isIssued } from './oauth/check-access-token.ts'
import { isCached } from './token-cache.ts'

/** Authenticates requests within the limits of their clients. */
export interface Admission {
  /** Identifies the sender of a request. Rejects with a RateLimitError if its address has sent too many unknown tokens. */
  identify(request: Request): Promise<Identity>
  /** Counts a request of a token or a client. Throws a RateLimitError if it has sent too many. */
  count(sender: Pick<Principal, 'tokenId'>, request: Request): void
  /**
   * Throws a RateLimitError if the address of a request has sent too many unknown credentials, unless `isKnown`
   * returns true.
   */
  requireFewGuesses(request: Request, isKnown: () => boolean): void
  /** Counts unknown credentials. */
  countGuess(request: Request, credentials: string): void
  /** Counts a rejected token as a guess, unless it was revoked or has expired. It never rejects. */
  countRejected(request: Request, token: string): Promise<void>
}

/** The sender of a request, or why its token was rejected. */
export interface Identity {
  readonly principal: Principal | null
  /** Null for an accepted token, and if the reason is not known. */
  readonly rejection: Rejection | null
}

/** The facts about a request that admission needs. */
export interface Sender {
  /** The address of the connection, which may be that of a proxy; null if it is not known. */
  readonly address: string | null
  /** The SCIM endpoints of a tenant in the URL; null for other requests. */
  readonly scimPath: { readonly tenantId: string | null } | null
  /** The sender of a request that the server itself makes; null for a client. */
  readonly grant: Principal | null
}

/** The parts of the server that admit requests. */
export interface AdmissionOptions extends AuthOptions {
  readonly senderOf: (request: Request) => Sender
  /** Null for no limits. */
  readonly limits: ClientLimits | null
}

/** Creates the admission of requests. */
export function createAdmission({ senderOf, limits, ...auth }: AdmissionOptions): Admission {
  const { store } = auth
  const requireFewGuesses: Admission['requireFewGuesses'] = (request, isKnown) =>
    limits?.requireFewGuesses(request, senderOf(request).address, isKnown)
  const countGuess: Admission['countGuess'] = (request, credentials) =>
    limits?.countGuess(request, senderOf(request).address, credentials)
  /** A token that was revoked or has expired is not a guess. */
  const countUnknown = (
    request: Request,
    token: string | null,
    rejection: Rejection | null,
  ): void => {
    if (token !== null && rejection?.reason === 'unknown') countGuess(request, token)
  }
  return {
    identify: async (request) => {
      const { grant, scimPath } = senderOf(request)
      if (grant !== null) return { principal: grant, rejection: null }
      const tenantId = scimPath?.tenantId ?? null
      const token = bearerOf(request)
      if (token !== null)
        requireFewGuesses(request, () => isCached(token, store) || isIssued(token, store))
      const principal = await authenticate(request, auth, tenantId)
      if (principal !== null) return { principal, rejection: null }
      const rejection = await explainRejection(request, auth, tenantId).catch(() => null)
      countUnknown(request, token, rejection)
      return { principal, rejection }
    },
    count: ({ tokenId }, request) => {
      // A request that the server itself makes is part of another one.
      if (senderOf(request).grant === null) limits?.countRequest(tokenId)
    },
    requireFewGuesses,
    countGuess,
    countRejected: async (request, token) => {
      countUnknown(request, token, await explainToken(token, auth).catch(() => null))
    },
  }
}
