import { defined, MAX_TIMEOUT_MS, optionFault } from '@plumbline/base'
import { isJsonObject } from '../../json.ts'
import { unknownOption } from './forms.ts'

/** An endpoint's limits. Sizes are in bytes, and times in milliseconds. */
export interface Limits {
  /** The most bytes in a request body, also for bulk requests; 1 MiB by default. */
  readonly body: number
  /** How many resources a page has if the client sends no count; 100 by default. */
  readonly defaultCount: number
  /** The most resources in a page; 1,000 by default. */
  readonly maxCount: number
  /** How many resources from a store the endpoint filters or sorts in memory; 10,000 by default, then `400 tooMany`. */
  readonly candidates: number
  /** The size of a page by index: it ends before the resource exceeding it; 16 MiB by default. */
  readonly page: number
  /** The most operations in a bulk request (RFC 7644 §3.7); 1,000 by default. */
  readonly bulkOperations: number
  /** How many values a multi-valued attribute other than `members` may have; 5,000 by default. */
  readonly values: number
  /** The steps of work a request may cost; 1,000,000 by default, which take less than about 200 ms. */
  readonly steps: number
  /**
   * How long a write may take, including its wait for earlier writes to the resource; 60,000 by default, then `503`.
   * Then it does not call the store again, but a running store call may still take effect.
   */
  readonly writeTime: number
  /** The size of all large responses clients have not read yet; 192 MiB by default, then `503`. */
  readonly unread: number
  /** The size of the large responses a client has not read yet; 64 MiB by default, then `503`. */
  readonly unreadByClient: number
}

/** The default limits. */
export const DEFAULT_LIMITS: Limits = {
  body: 2 ** 20,
  defaultCount: 100,
  maxCount: 1_000,
  candidates: 10_000,
  page: 16 * 2 ** 20,
  bulkOperations: 1_000,
  values: 5_000,
  steps: 1_000_000,
  writeTime: 60_000,
  unread: 192 * 2 ** 20,
  unreadByClient: 64 * 2 ** 20,
}

/** The limits that differ from the default. */
export type GivenLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined }

/**
 * Completes limits with the defaults. Throws a TypeError naming a limit that is unknown or not a whole number: a
 * comparison with NaN would accept everything.
 */
export function completeLimits(given: GivenLimits | undefined): Limits {
  if (given === undefined) return DEFAULT_LIMITS
  if (!isJsonObject(given)) throw optionFault('limits', 'an object', given)
  const limits = { ...DEFAULT_LIMITS, ...defined(given) }
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw unknownOption(`limits.${name}`, name, Object.keys(DEFAULT_LIMITS))
    }
    requireLimit(`limits.${name}`, value, ZERO_IS_VALID.has(name) ? 0 : 1)
  }
  if (limits.writeTime > MAX_TIMEOUT_MS) {
    throw optionFault('limits.writeTime', `at most ${MAX_TIMEOUT_MS}`, limits.writeTime)
  }
  return { ...limits, defaultCount: Math.min(limits.defaultCount, limits.maxCount) }
}

/** Throws a TypeError unless a limit is a whole number not below `least`. */
export function requireLimit(name: string, value: unknown, least = 1): void {
  if (Number.isSafeInteger(value) && Number(value) >= least) return
  throw optionFault(name, `a whole number of at least ${least}`, value)
}

/** A page may be empty by default, all searches may have to run in the store, and bulk requests may be impossible. */
const ZERO_IS_VALID: ReadonlySet<string> = new Set(['defaultCount', 'candidates', 'bulkOperations'])
