/** The limits an examination observes. Times are in milliseconds. */
export interface ExaminationLimits {
  /** How long a response may take; 10 s by default. */
  readonly timeout: number
  /** The maximum response size in characters; 8 Mi by default. */
  readonly maxBody: number
  /** The maximum number of requests per second; 20 for a URL and unlimited for a function by default. */
  readonly rate: number
  /** The longest Retry-After to wait for; 60 s by default. */
  readonly maxWait: number
  /** How often a request is repeated after a `429`; 5 by default. After 502, 503 and 504, at most twice. */
  readonly retries: number
}

/** The default limits. */
export const DEFAULT_LIMITS: ExaminationLimits = {
  timeout: 10_000,
  maxBody: 8 * 2 ** 20,
  rate: 20,
  maxWait: 60_000,
  retries: 5,
}
