import { isLoopback } from './client-address.ts'
import type { ClientLimitOptions } from './client-limits.ts'

/** Rate limit variables, as `npm start -- --help` lists them. */
export const RATE_LIMIT_VARIABLES = [
  [
    'RATE_LIMIT',
    'none on the loopback, otherwise 100',
    'how many requests per second each token may send on average; 0 for no limit',
  ],
  [
    'RATE_LIMIT_BURST',
    'ten times RATE_LIMIT',
    'how many requests each token may send without a pause',
  ],
  [
    'TRUSTED_PROXIES',
    '0',
    'how many proxies in front of the server add an address to X-Forwarded-For',
  ],
] as const

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the rate limit from the environment: null if it is off, or an error's message. The default is generous: Entra
 * ID sends about 25 requests per second.
 */
export function readRateLimit(
  env: Environment,
  host: string,
): Omit<ClientLimitOptions, 'now'> | null | string {
  const perSecond = wholeNumber(env.RATE_LIMIT || (isLoopback(host) ? '0' : '100'), MAX_VALUE)
  if (perSecond === null) return `RATE_LIMIT must be a whole number between 0 and ${MAX_VALUE}`
  const burst = wholeNumber(env.RATE_LIMIT_BURST || String(10 * perSecond), 10 * MAX_VALUE)
  const isEmpty = perSecond > 0 && burst === 0
  if (burst === null || isEmpty) {
    return `RATE_LIMIT_BURST must be a whole number between 1 and ${10 * MAX_VALUE}`
  }
  const proxies = wholeNumber(env.TRUSTED_PROXIES || '0', MAX_PROXIES)
  if (proxies === null) return `TRUSTED_PROXIES must be a whole number between 0 and ${MAX_PROXIES}`
  if (perSecond === 0) return null
  return { requests: { perSecond, burst }, proxies, isBehindProxy: Boolean(env.PUBLIC_URL) }
}

function wholeNumber(text: string, most: number): number | null {
  return /^\d{1,8}$/.test(text) && Number(text) <= most ? Number(text) : null
}

const MAX_VALUE = 100_000
const MAX_PROXIES = 10
