import { sha256 } from '../store/sha256.ts'
import { type AddressOptions, clientAddress } from './client-address.ts'
import { createRateLimit, type Rate, type RateLimitOptions } from './rate-limit.ts'

/** How many requests clients may send, and where their addresses are. */
export interface ClientLimitOptions extends AddressOptions, Pick<RateLimitOptions, 'now'> {
  /** Each token's requests. */
  readonly requests: Rate
}

/** The limits of the clients of one process. */
export interface ClientLimits {
  /** Counts a request of a token, null for that of `DIRECTORY_TOKEN`. Throws a RateLimitError if there are too many. */
  countRequest(tokenId: string | null): void
  /**
   * Throws a RateLimitError if a request's address has sent too many unknown tokens. A token that is known to
   * be valid is never rejected: clients may share an address.
   */
  requireFewGuesses(request: Request, connection: string | null, isKnown: () => boolean): void
  /** Counts an unknown token an address has sent. */
  countGuess(request: Request, connection: string | null, token: string): void
}

/** A client has sent too many requests. */
export class RateLimitError extends Error {
  override readonly name: string = 'RateLimitError'
  /** When a retry may succeed, in whole seconds (RFC 9110 §10.2.3). */
  readonly seconds: number
  /** Whether the rejection belongs into the provisioning log, which a flood of them must not fill. */
  readonly isLogged: boolean

  constructor(message: string, { wait, isLogged }: { wait: number; isLogged: boolean }) {
    super(message)
    this.seconds = Math.max(1, Math.ceil(wait / 1_000))
    this.isLogged = isLogged
  }
}

/** Creates the limits of clients, in memory. */
export function createClientLimits({ requests, now, ...from }: ClientLimitOptions): ClientLimits {
  const clock = now === undefined ? {} : { now }
  const tokens = createRateLimit(requests, clock)
  const guesses = createRateLimit(GUESSES, clock)
  // A client that repeats one wrong token has a mistake in its configuration, and does not guess.
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

/** The different unknown tokens of an address. */
const GUESSES: Rate = { perSecond: 1, burst: 60 }
const REPEATED: Rate = { perSecond: 1 / 60, burst: 1 }
/** The rejections of a token or an address that are logged. */
const LOGGED: Rate = { perSecond: 1 / 10, burst: 1 }
/** The key of `DIRECTORY_TOKEN`: a token's id is not empty. */
const ENVIRONMENT = ''
