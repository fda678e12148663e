import {
  type AuthOptions,
  authenticate,
  bearerOf,
  explainRejection,
  explainToken,
  type Principal,
  type Rejection,
} from './auth.ts'
import { type ClientLimits, RateLimitError } from './rate-limit/client-limits.ts'
import type { RequestRecord } from './request-log.ts'
import { isCached } from './token-cache.ts'

/** Authenticates requests within the limits of their clients. */
export interface Admission {
  /**
   * The principal of a request; null if its token is rejected, with the reason in the record of the request. Throws
   * a RateLimitError if its address has sent too many unknown tokens.
   */
  identify(request: Request): Promise<Principal | null>
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

/** The parts of the server that admit requests. */
export interface AdmissionOptions extends AuthOptions {
  readonly recordOf: (request: Request) => RequestRecord
  /** Null for no limits. */
  readonly limits: ClientLimits | null
}

/** Creates the admission of requests. */
export function createAdmission({ recordOf, limits, ...auth }: AdmissionOptions): Admission {
  const { store } = auth
  const requireFewGuesses: Admission['requireFewGuesses'] = (request, isKnown) => {
    if (limits === null) return
    const record = recordOf(request)
    noting(record, () => limits.requireFewGuesses(request, record.address, isKnown))
  }
  const countGuess: Admission['countGuess'] = (request, credentials) =>
    limits?.countGuess(request, recordOf(request).address, credentials)
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
      const record = recordOf(request)
      if (record.grant !== null) return record.grant
      const tenantId = record.scimPath?.tenantId ?? null
      const token = bearerOf(request)
      if (token !== null) requireFewGuesses(request, () => isCached(token, store))
      const principal = await authenticate(request, auth, tenantId)
      if (principal !== null) return principal
      record.rejection = await explainRejection(request, auth, tenantId).catch(() => null)
      countUnknown(request, token, record.rejection)
      return null
    },
    count: ({ tokenId }, request) => {
      const record = recordOf(request)
      // A request that the server itself makes is part of another one.
      if (limits === null || record.grant !== null) return
      noting(record, () => limits.countRequest(tokenId))
    },
    requireFewGuesses,
    countGuess,
    countRejected: async (request, token) => {
      countUnknown(request, token, await explainToken(token, auth).catch(() => null))
    },
  }
}

/** Runs a check, and notes its RateLimitError in the record of the request. */
function noting(record: RequestRecord, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (error instanceof RateLimitError) record.limited = error
    throw error
  }
}
