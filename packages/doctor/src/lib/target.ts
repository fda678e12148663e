import { ExaminationError } from './examination-error.ts'
import { DEFAULT_LIMITS, type ExaminationLimits } from './http/limits.ts'
import { createRedaction } from './http/redaction.ts'
import { type Fetch, sleep, type TransportOptions } from './http/transport.ts'
import { findOptionFault } from './option-faults.ts'

/** The server to examine, and its credentials. */
export interface TargetOptions {
  /** The bearer token. */
  readonly token?: string | undefined
  /** The whole Authorization header value, instead of `token`. */
  readonly authorization?: string | undefined
  /** More headers for each request, such as one for the tenant. Their values are secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The base URL if the target is a function; `https://scim.example/scim/v2` by default. */
  readonly base?: string | undefined
  /** Limits other than the defaults. */
  readonly limits?: Partial<ExaminationLimits> | undefined
}

/** A server, and the way to it. */
export interface Target {
  /** The base URL, without a trailing slash. */
  readonly base: string
  readonly authorization: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly transport: Omit<TransportOptions, 'signal'>
}

/** Prepares the requests to a server. Throws an ExaminationError if a URL or a limit is not valid. */
export function prepareTarget(
  target: string | URL | Fetch,
  { token, headers = {}, ...options }: TargetOptions,
): Target {
  const fault = findOptionFault<ExaminationLimits>('limits.', options.limits ?? {}, LIMITS)
  if (fault !== null) throw new ExaminationError('invalid-options', fault)
  const isFunction = typeof target === 'function'
  const authorization = options.authorization ?? (token === undefined ? null : `Bearer ${token}`)
  const rate = isFunction ? Number.POSITIVE_INFINITY : DEFAULT_LIMITS.rate
  return {
    base: baseOf(isFunction ? (options.base ?? USUAL_BASE) : target),
    authorization,
    headers,
    transport: {
      fetch: isFunction ? target : (request) => fetch(request),
      limits: { ...DEFAULT_LIMITS, rate, ...options.limits },
      redaction: createRedaction([token, authorization, ...Object.values(headers)]),
      sleep,
    },
  }
}

function baseOf(target: string | URL): string {
  const text = String(target)
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ExaminationError('invalid-options', `not an http or https URL: ${text}`)
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new ExaminationError('invalid-options', 'the URL must not have credentials or a query')
  }
  return url.href.replace(/\/+$/, '')
}

const USUAL_BASE = 'https://scim.example/scim/v2'
const LIMITS: Readonly<Record<keyof ExaminationLimits, 'number'>> = {
  timeout: 'number',
  maxBody: 'number',
  rate: 'number',
  maxWait: 'number',
  retries: 'number',
}
