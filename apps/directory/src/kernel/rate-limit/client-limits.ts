import { sha256 } from '../store/sha256.ts'
import { type AddressOptions, clientAddress } from './client-address.ts'
import { createRateLimit, type Rate, type RateLimitOptions } from './rate-limit.ts'

/** How many requests clients may send, and where to find their addresses. */
export interface ClientLimitOptions extends AddressOptions, Pick<RateLimitOptions, 'now'> {
  /** Each token's requests. */
  readonly requests: Rate
}

/** One process's limits for its clients. */
export interface ClientLimits {
  /** Counts a token's request; null for `DIRECTORY_TOKEN`. Throws a RateLimitError if there are too many. */
  countRequest(tokenId: string | null): void
  /**
   * Throws a RateLimitError if a request's address has sent too many unknown tokens. A known valid token is never
   * rejected: clients may share an address.
   */
  requireFewGuesses(request: Request, connection: string | null, isKnown: () => boolean): void
  /** Counts an unknown token sent from an address. */
  countGuess(request: Request, connection: string | null, token: string): void
}

/** Thrown if a client has sent too many requests. */
export class RateLimitError extends Error {
  override readonly name: string = 'RateLimitError'
  /** When a retry may succeed, in whole seconds (RFC 9110 §10.2.3). */
  readonly seconds: number
  /** Whether the rejection belongs in the provisioning log, which a flood of them must not fill. */
  readonly isLogged: boolean

  constructor(message: string, { wait, isLogged }: { wait: number; isLogged: boolean }) {
    super(message)
    this.seconds = Math.max(1, Math.ceil(wait / 1_000))
    this.isLogged = isLogged
  }
}

/** Creates the client limits, in memory. */
export function createClientLimits({ requests, now, ...from }: ClientLimitOptions): ClientLimits {
  const clock = now === undefined ? {} : { now }
  const tokens = createRateLimit(requests, clock)
  const guesses = createRateLimit(GUESSES, clock)
  // A client repeating one wrong token is misconfigured rather than guessing.
  const repeated = createRateLimit(REPEATED, clock)
  const logged = createRateLimit(LOGGED, clock)
  const reject = (key: string, wait: number, message: string): never => {
    throw new RateLimitError(message, { wait, isLogged: logged.take(key) === 0 })
  }
  return {
    countRequest: (tokenId) => {
      const key = tokenId ?? ENVIRONMENT
      const wait = tokens.take(key)
      if (wait > 0) reject(key, wait, 'the token has sent too many requests')
    },
    requireFewGuesses: (request, connection, isKnown) => {
      if (guesses.isIdle()) return
      const address = clientAddress(request, connection, from)
      const wait = address === null ? 0 : guesses.waitOf(address)
      if (wait > 0 && !isKnown())
        reject(`address ${address}`, wait, 'the address has sent too many unknown tokens')
    },
    countGuess: (request, connection, token) => {
      const address = clientAddress(request, connection, from)
      if (address === null) return
      if (repeated.take(`${address} ${sha256(token)}`) === 0) guesses.charge(address)
    },
  }
}

/** How many different unknown tokens an address may send. */
const GUESSES: Rate = { perSecond: 1, burst: 60 }
const REPEATED: Rate = { perSecond: 1 / 60, burst: 1 }
/** How many rejections per token or address are logged. */
const LOGGED: Rate = { perSecond: 1 / 10, burst: 1 }
/** The key for `DIRECTORY_TOKEN`: a token's id is not empty. */
const ENVIRONMENT = ''
