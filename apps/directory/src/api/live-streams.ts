import { setTimeout } from 'node:timers/promises'
import type { Database } from '../store/database.ts'
import type { Store } from '../store/store.ts'

/** Streams rows added to the database by any process, as server-sent events. */
export interface LiveStreams {
  /** Starts a stream; null if there are too many. */
  watch(options: WatchOptions): ReadableStream<Uint8Array> | null
  /** Ends all streams. */
  close(): void
}

/** The rows watched by a client. */
export interface WatchOptions {
  /** The event name. */
  readonly event: string
  /** Starts after the row with this id. */
  readonly after: string
  /** Reads the rows after an id, at most `count`. Returns null to end the stream. */
  readonly read: (db: Database, after: string, count: number) => Promise<readonly LiveRow[] | null>
  /** Aborts if the client closes the connection. */
  readonly signal: AbortSignal
  /** Whether the client may still watch; called about once a second. */
  readonly isAllowed: () => Promise<boolean>
}

/** A row in a stream. */
export interface LiveRow {
  readonly id: string
  /** The event's JSON. */
  readonly data: unknown
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
 * Creates the streams over a database. Each stream reads the rows after the last one sent, when its client is ready for
 * more: a slow client costs one page of memory.
 */
export function createLiveStreams({
  store,
  most = 32,
  interval = 500,
  heartbeat = 15_000,
}: LiveOptions): LiveStreams {
  const closing = new AbortController()
  let count = 0
  return {
    watch: (options) => {
      if (count >= most || closing.signal.aborted) return null
      count += 1
      const ended = new AbortController()
      const signals = [options.signal, closing.signal, ended.signal]
      const events = eventsOf(store, options, {
        signal: AbortSignal.any(signals),
        interval,
        heartbeat,
      })
      ended.signal.addEventListener('abort', () => {
        count -= 1
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

interface Pace {
  readonly signal: AbortSignal
  readonly interval: number
  readonly heartbeat: number
}

/** Yields a stream's events, until the signal aborts or the client may not watch any more. */
async function* eventsOf(
  store: Store,
  { event, after, read, isAllowed }: WatchOptions,
  { signal, interval, heartbeat }: Pace,
): AsyncGenerator<string, undefined> {
  yield `retry: ${RETRY}\n\n`
  let last = after
  // If the database is unavailable, the stream continues later.
  const attempt = <Value>(work: () => Promise<Value>, otherwise: Value): Promise<Value> =>
    store.jobs.attempt('live-streams', work, { otherwise, signal })
  let silence = 0
  while (!signal.aborted && (await attempt(isAllowed, true))) {
    const rows = await attempt(() => store.read((db) => read(db, last, PAGE)), [])
    if (rows === null) return
    last = rows.at(-1)?.id ?? last
    if (rows.length > 0 || silence >= heartbeat) {
      silence = 0
      yield rows.length === 0 ? ': \n\n' : rows.map((row) => eventOf(event, row)).join('')
    }
    if (rows.length === PAGE) continue
    await setTimeout(interval, undefined, { signal }).catch(() => undefined)
    silence += interval
  }
}

/** JSON does not contain line breaks, which would end the event. */
function eventOf(event: string, { id, data }: LiveRow): string {
  return `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

const PAGE = 100
/** How long (ms) a client waits before it connects again. */
const RETRY = 1_000
