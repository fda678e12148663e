/** The rate at which a key may act. */
export interface Rate {
  /** The actions per second, on average. */
  readonly perSecond: number
  /** How many actions may follow each other without a pause. */
  readonly burst: number
}

/** Limits how often each of many keys acts. */
export interface RateLimit {
  /**
   * Counts a key's action. Returns 0 if the key may act. Otherwise the action is not counted, and the result is how
   * long (ms) the key should wait.
   */
  take(key: string): number
  /** Counts an action that has already happened. */
  charge(key: string): void
  /** How long (ms) a key should wait before it acts; 0 if it may act. */
  waitOf(key: string): number
  /** Whether no key has acted yet. */
  isIdle(): boolean
}

/** How a rate limit measures time, and how much it remembers. */
export interface RateLimitOptions {
  /** Returns a time in milliseconds that is never set back; `performance.now` by default. */
  readonly now?: () => number
  /** Twice this number of keys is remembered at most; 10,000 by default. */
  readonly most?: number
}

/**
 * Creates a limit in memory with the generic cell rate algorithm: a token bucket with one number per key, the time when
 * the bucket is full again.
 *
 * Keys are remembered in two generations. When the newer one is full, the older one is forgotten: if more than `most`
 * keys act at the same time, the limits are reset for keys that have not acted since.
 */
export function createRateLimit(
  { perSecond, burst }: Rate,
  { now = () => performance.now(), most = 10_000 }: RateLimitOptions = {},
): RateLimit {
  const interval = 1_000 / perSecond
  /** How far ahead a bucket's full time is if one action is left in it. */
  const allowed = interval * (burst - 1)
  let newer = new Map<string, number>()
  let older = new Map<string, number>()
  const fullAt = (key: string, time: number): number =>
    Math.max(newer.get(key) ?? older.get(key) ?? time, time)
  const remember = (key: string, full: number): void => {
    if (newer.size >= most && !newer.has(key)) {
      older = newer
      newer = new Map()
    }
    newer.set(key, full)
  }
  return {
    take: (key) => {
      const time = now()
      const full = fullAt(key, time)
      const wait = full - time - allowed
      if (wait > EXACT) return wait
      remember(key, full + interval)
      return 0
    },
    charge: (key) => {
      const time = now()
      // Concurrent actions may exceed the limit: the key waits longer, but not much longer.
      const latest = time + 2 * interval * burst
      remember(key, Math.min(fullAt(key, time) + interval, latest))
    },
    waitOf: (key) => {
      const time = now()
      const wait = fullAt(key, time) - time - allowed
      return wait > EXACT ? wait : 0
    },
    isIdle: () => newer.size === 0,
  }
}

/** The precision (ms) for summed intervals. */
const EXACT = 1e-6
