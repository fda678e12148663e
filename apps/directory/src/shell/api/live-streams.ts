import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../kernel/store/database.ts'
import type { Store } from '../../kernel/store/store.ts'

/** Streams rows any process adds to the database, as server-sent events. */
export interface LiveStreams {
  /**
   * Starts a stream; null if there are too many. If only tenants with fewer streams may start another one, the newest
   * stream of the tenant with the most streams ends: its client continues with the last event it has received.
   */
  watch(options: WatchOptions): ReadableStream<Uint8Array> | null
  /** Ends all streams. */
  close(): void
}

/** The rows a client watches. */
export interface WatchOptions {
  /** The tenant whose rows are watched, and whose share of the streams is used. */
  readonly tenantId: string
  /** The event name. */
  readonly event: string
  /** Starts after the row with this id. */
  readonly after: string
  /** Reads the rows after an id, at most `count`. Returns null to end the stream. */
  readonly read: (db: Database, after: string, count: number) => Promise<LivePage | null>
  /** Aborts if the client closes the connection. */
  readonly signal: AbortSignal
  /** Whether the client may still watch; called about once a second. */
  readonly isAllowed: () => Promise<boolean>
}

/** Some rows of a stream. */
export interface LivePage {
  readonly rows: readonly LiveRow[]
  /** Whether more rows can be read now. */
  readonly hasMore: boolean
}

/** A row in a stream. */
export interface LiveRow {
  readonly id: string
  /** The event's JSON, without line breaks. */
  readonly json: string
}

/** Options for `createLiveStreams`. */
export interface LiveOptions {
  readonly store: Store
  /** The most streams per process; 32 by default. */
  readonly most?: number
  /** How often (ms) a stream reads the database; 500 by default. */
  readonly interval?: number
  /** How often (ms) a silent stream sends a comment, so proxies keep it open; 15 seconds by default. */
  readonly heartbeat?: number
}

/**
 * Creates the streams over a database. Each stream reads the rows after the last one sent, when the client is ready for
 * more: a slow client costs one page of memory.
 */
export function createLiveStreams({
  store,
  most = 32,
  interval = 500,
  heartbeat = 15_000,
}: LiveOptions): LiveStreams {
  const closing = new AbortController()
  const running = createShares(most)
  return {
    watch: (options) => {
      const ended = new AbortController()
      if (closing.signal.aborted || !running.add(options.tenantId, ended)) return null
      const signals = [options.signal, closing.signal, ended.signal]
      const events = eventsOf(store, options, {
        signal: AbortSignal.any(signals),
        interval,
        heartbeat,
      })
      const encoder = new TextEncoder()
      return new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { value, done } = await events.next()
          if (!done) return controller.enqueue(encoder.encode(value))
          ended.abort()
          controller.close()
        },
        cancel: () => ended.abort(),
      })
    },
    close: () => closing.abort(),
  }
}

/** The running streams of all tenants. */
interface Shares {
  /** Adds a stream until it is aborted; returns false if the tenant has its share. May abort another tenant's stream. */
  add(tenantId: string, ended: AbortController): boolean
}

function createShares(most: number): Shares {
  const tenants = new Map<string, Set<AbortController>>()
  let count = 0
  const remove = (tenantId: string, ended: AbortController): void => {
    const streams = tenants.get(tenantId)
    streams?.delete(ended)
    if (streams?.size === 0) tenants.delete(tenantId)
    count -= 1
  }
  /** Ends a stream of the tenant with the most, if it still has as many as the other tenant afterwards. */
  const makeRoom = (tenantId: string): boolean => {
    const own = tenants.get(tenantId)?.size ?? 0
    const largest = [...tenants.values()].reduce((a, b) => (b.size > a.size ? b : a), new Set())
    if (largest.size < own + 2) return false
    ;[...largest].at(-1)?.abort()
    return true
  }
  return {
    add: (tenantId, ended) => {
      if (count >= most && !makeRoom(tenantId)) return false
      tenants.set(tenantId, (tenants.get(tenantId) ?? new Set()).add(ended))
      count += 1
      ended.signal.addEventListener('abort', () => remove(tenantId, ended))
      return true
    },
  }
}

interface Pace {
  readonly signal: AbortSignal
  readonly interval: number
  readonly heartbeat: number
}

/** Yields a stream's events, until the signal aborts or the client may not watch any more. */
async function* eventsOf(
  store: Store,
  { tenantId, event, after, read, isAllowed }: WatchOptions,
  { signal, interval, heartbeat }: Pace,
): AsyncGenerator<string, undefined> {
  // A client that connects again before the first event continues after this id, too.
  yield `retry: ${RETRY}\nid: ${after}\n\n`
  let last = after
  // If the database is unavailable, the stream continues later.
  const attempt = <Value>(work: () => Promise<Value>, otherwise: Value): Promise<Value> =>
    store.jobs.attempt('live-streams', work, { otherwise, signal })
  let silence = 0
  while (!signal.aborted && (await attempt(isAllowed, true))) {
    const page = await attempt(
      () => store.read((db) => read(db, last, PAGE), { tenantId }),
      NO_ROWS,
    )
    if (page === null) return
    const { rows, hasMore } = page
    if (rows.length > 0) await store.turns.next(tenantId)
    last = rows.at(-1)?.id ?? last
    if (rows.length > 0 || silence >= heartbeat) {
      silence = 0
      yield rows.length === 0 ? ': \n\n' : rows.map((row) => eventOf(event, row)).join('')
    }
    if (hasMore) continue
    await setTimeout(interval, undefined, { signal }).catch(() => undefined)
    silence += interval
  }
}

function eventOf(event: string, { id, json }: LiveRow): string {
  return `event: ${event}\nid: ${id}\ndata: ${json}\n\n`
}

const PAGE = 100
const NO_ROWS: LivePage = { rows: [], hasMore: false }
/** How long (ms) a client waits before it connects again. */
const RETRY = 1_000
