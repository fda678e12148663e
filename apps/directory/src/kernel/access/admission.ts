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
import { isIssued } from './check-access-token.ts'
import { isCached } from './token-cache.ts'

/** Authenticates requests and applies each client's rate limits. */
export interface Admission {
  /**
   * Identifies a request's sender. Rejects with a RateLimitError if the sender's address has sent too many unknown
   * tokens.
   */
  identify(request: Request): Promise<Identity>
  /** Counts a request against its token or client. Throws a RateLimitError if that has sent too many. */
  count(sender: Pick<Principal, 'tokenId'>, request: Request): void
  /**
   * Throws a RateLimitError if the request's address has sent too many unknown credentials, unless `isKnown` returns
   * true.
   */
  requireFewGuesses(request: Request, isKnown: () => boolean): void
  /** Counts unknown credentials. */
  countGuess(request: Request, credentials: string): void
  /** Counts a rejected token as a guess, unless it was revoked or has expired. Never rejects. */
  countRejected(request: Request, token: string): Promise<void>
}

/** A request's sender, or why the token was rejected. */
export interface Identity {
  readonly principal: Principal | null
  /** Null for an accepted token, or if the reason isn't known. */
  readonly rejection: Rejection | null
}

/** The request details needed for admission. */
export interface Sender {
  /** The connection's remote address, which may be a proxy's; null if it isn't known. */
  readonly address: string | null
  /** The tenant in a SCIM endpoint's URL; null for other requests. */
  readonly scimPath: { readonly tenantId: string | null } | null
  /** The sender of an internal request from the server itself; null for a client's request. */
  readonly grant: Principal | null
}

/** Options for `createAdmission`. */
export interface AdmissionOptions extends AuthOptions {
  readonly senderOf: (request: Request) => Sender
  /** Null to disable the limits. */
  readonly limits: ClientLimits | null
}

/** Creates the check for incoming requests. */
export function createAdmission({ senderOf, limits, ...auth }: AdmissionOptions): Admission {
  const { store } = auth
  const requireFewGuesses: Admission['requireFewGuesses'] = (request, isKnown) =>
    limits?.requireFewGuesses(request, senderOf(request).address, isKnown)
  const countGuess: Admission['countGuess'] = (request, credentials) =>
    limits?.countGuess(request, senderOf(request).address, credentials)
  /** Revoked and expired tokens don't count as guesses. */
  const countUnknown = (
    request: Request,
    token: string | null,
    rejection: Rejection | null,
  ): void => {
    if (token !== null && rejection?.reason === 'unknown') countGuess(request, token)
  }
  /** The answer is a 401 even if the database doesn't say why. */
  const explain = (work: () => Promise<Rejection | null>): Promise<Rejection | null> =>
    store.jobs.attempt('rejection-details', work, { otherwise: null })
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
      const rejection = await explain(() => explainRejection(request, auth, tenantId))
      countUnknown(request, token, rejection)
      return { principal, rejection }
    },
    count: ({ tokenId }, request) => {
      // The server's internal requests are part of another request, which is already counted.
      if (senderOf(request).grant === null) limits?.countRequest(tokenId)
    },
    requireFewGuesses,
    countGuess,
    countRejected: async (request, token) => {
      countUnknown(request, token, await explain(() => explainToken(token, auth)))
    },
  }
}
