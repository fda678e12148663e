import type { Fetch } from '../http/transport.ts'

/** How long (ms) a request may take by default. */
export const DEFAULT_TIMEOUT = 30_000

/** The likely causes of a store call that does not end. */
export const STUCK_ADVICE =
  'Does `execute` use the connection of `transaction`? A write that takes a second connection waits until another write ends, and for ever if all of them wait. Otherwise settle the promise of each store call, and release each lock. If the store is only slow, set `timeout`.'

/** Limits the time for each request, so a store call without an end does not stop the test run. */
export interface TimeLimit {
  /** Answers a request, or throws when the time is over. */
  readonly fetch: Fetch
  /** Aborts after a check whose request was not answered. */
  readonly signal: AbortSignal
  /** Ends the examination after such a check. */
  endCheck(): void
  /** The first request that was not answered in time; null without one. */
  readonly stuck: string | null
}

/**
 * Limits the time for each request. A whole check does not have a limit: on a busy machine, or with a database far
 * away, it may take minutes, although the store works.
 */
export function limitTime(answer: Fetch, timeout: number): TimeLimit {
  const abort = new AbortController()
  let stuck: string | null = null
  return {
    fetch: (request) => {
      // The stores are not called again, not even to delete what was created.
      if (stuck !== null) return Promise.reject(new Error(stuck))
      return within(answer(request), timeout, () => {
        const { pathname } = new URL(request.url)
        stuck ??= `no answer to ${request.method} ${pathname} within ${secondsOf(timeout)}`
        return new Error(stuck)
      })
    },
    signal: abort.signal,
    endCheck: () => {
      if (stuck !== null) abort.abort()
    },
    get stuck() {
      return stuck
    },
  }
}

/** Waits for work, at most for some milliseconds. Then it throws the error. */
export async function within<Value>(
  work: Promise<Value>,
  milliseconds: number,
  errorOf: () => Error,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(errorOf()), milliseconds)
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    clearTimeout(timer)
  }
}

/** A time, such as `30 s`. */
export function secondsOf(milliseconds: number): string {
  return `${milliseconds / 1_000} s`
}

/** Throws a TypeError unless a timer can have the time. */
export function requireTimeout(timeout: number): void {
  if (Number.isSafeInteger(timeout) && timeout > 0 && timeout <= MAX_TIMEOUT_MS) return
  throw new TypeError(
    `timeout: expected milliseconds from 1 to ${MAX_TIMEOUT_MS}, got ${String(timeout)}`,
  )
}

/** Timers above this many milliseconds, with the time for a response, expire immediately. */
const MAX_TIMEOUT_MS = 2 ** 30
