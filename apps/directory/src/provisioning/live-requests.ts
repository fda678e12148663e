import { setTimeout } from 'node:timers/promises'
import { findLater, type RequestRow } from '../store/requests/find-requests.ts'
import type { Store } from '../store/store.ts'

/** Streams of the requests that are added to the provisioning log, by any process. */
export interface LiveRequests {
  /** Starts a stream of server-sent events; null if there are too many. */
  watch(options: WatchOptions): ReadableStream<Uint8Array> | null
  /** Ends all streams. */
  close(): void
}

/** The requests a client watches. */
export interface WatchOptions {
  /** Empty for the requests whose token does not belong to a tenant. */
  readonly tenantId: string
  /** Starts after this id. */
  readonly after: number
  /** Aborts if the client closes the connection. */
  readonly signal: AbortSignal
  /** Whether the client may still watch; it is called about once a second. */
  readonly isAllowed: () => Promise<boolean>
  /** The JSON of a request. */
  readonly show: (row: RequestRow) => unknown
}

/** The parts of live requests. */
export interface LiveOptions {
  readonly store: Store
  /** The most streams of this process; 32 by default. */
  readonly most?: number
  /** How often (ms) a stream reads the log; 500 by default. */
  readonly interval?: number
  /** How often (ms) a silent stream sends a comment, so that proxies keep it open; 15 seconds by default. */
  readonly heartbeat?: number
}

/**
 * Creates the streams over a database's log. Each stream reads the rows after the last one that it has sent,
 * when its client is ready for more: a slow client costs one page of memory.
 */
export function createLiveRequests({
  store,
  most = 32,
  interval = 500,
  heartbeat = 15_000,
}: LiveOptions): LiveRequests {
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

/** A stream's events, until the signal aborts or the client may not watch any more. */
async function* eventsOf(
  store: Store,
  { tenantId, after, isAllowed, show }: WatchOptions,
  { signal, interval, heartbeat }: Pace,
): AsyncGenerator<string, undefined> {
  yield `retry: ${RETRY}\n\n`
  let last = after
  let silence = 0
  while (!signal.aborted && (await isAllowed().catch(() => true))) {
    const rows = await readLater(store, tenantId, last)
    last = rows.at(-1)?.id ?? last
    if (rows.length > 0 || silence >= heartbeat) {
      silence = 0
      yield rows.length === 0 ? ': \n\n' : rows.map((row) => eventOf(row, show)).join('')
    }
    if (rows.length === PAGE) continue
    await setTimeout(interval, undefined, { signal }).catch(() => undefined)
    silence += interval
  }
}

/** The next rows; an empty list if the database is unavailable, so that the stream continues later. */
async function readLater(
  store: Store,
  tenantId: string,
  last: number,
): Promise<readonly RequestRow[]> {
  return await store.read((db) => findLater(db, tenantId, last, PAGE)).catch(() => [])
}

/** JSON does not contain line breaks, which would end the event. */
function eventOf(row: RequestRow, show: WatchOptions['show']): string {
  return `event: request\nid: ${row.id}\ndata: ${JSON.stringify(show(row))}\n\n`
}

const PAGE = 100
/** How long (ms) a client waits before it connects again. */
const RETRY = 1_000
