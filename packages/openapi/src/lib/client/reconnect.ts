import { MAX_TIMEOUT_MS } from '@plumbline/base'
import { LAST_EVENT_ID, writeLastEventId } from '../stream/last-event-id.ts'
import type { ReadAnswer } from './read-answer.ts'
import { formatsOf, initOf, notAStream, type Reading, typesOf } from './reading.ts'
import { ResponseError } from './response-error.ts'

/** Connects again after a while. Null if the server or the caller ends the stream. */
export async function connectAgain(reading: Reading): Promise<ReadAnswer | null> {
  const { facts, fetch, send } = reading.operation
  const { signal } = reading.call
  let least = 0
  for (;;) {
    await sleep(Math.max(waitOf(reading), least), signal)
    if (signal?.aborted) return null
    let status = 0
    least = 0
    let rejection: unknown
    const connect = async (url: string, init: RequestInit): Promise<Response> => {
      const response = fetch(url, resume(reading, init))
      try {
        const { status: received, headers } = await response
        status = received
        least = readRetryAfter(headers)
      } catch (error) {
        rejection = error
      }
      return response
    }
    try {
      const answer = await send(initOf(reading.call), connect, typesOf(facts, 'stream'))
      if (formatsOf(facts, answer) !== null) return answer
      throw notAStream(answer)
    } catch (error) {
      // HTML §9.2.3 defines 204, so operations need not declare it.
      if (signal?.aborted || status === NO_CONTENT) return null
      const isOfNetwork = error === rejection && isNetworkError(error)
      if (!isOfNetwork && !TRANSIENT.includes(status)) throw error
      if (error instanceof ResponseError) void error.response.body?.cancel().catch(() => undefined)
      countFailure(reading, error)
    }
  }
}

/** Asks for what follows the last event. Throws a TypeError for a body that cannot be sent twice. */
function resume({ lastId }: Reading, init: RequestInit): RequestInit {
  if (init.body instanceof ReadableStream) {
    throw new TypeError('a request whose body is a stream cannot reconnect')
  }
  const headers = new Headers(init.headers)
  if (lastId === '') headers.delete(LAST_EVENT_ID)
  else headers.set(LAST_EVENT_ID, writeLastEventId(lastId))
  return { ...init, headers }
}

/** Throws the failure after too many in a row, because a bug in the caller's `fetch` may look like one. */
export function countFailure(reading: Reading, failure: unknown): void {
  reading.failures += 1
  if (reading.failures > MAX_FAILURES) throw failure
}

/** The time (ms) before the next connection, which doubles from the second failure on. */
function waitOf({ retry, failures }: Reading): number {
  const first = Math.min(Math.max(retry, MIN_WAIT_MS), MAX_TIMEOUT_MS)
  return Math.min(first * 2 ** Math.max(failures - 1, 0), Math.max(first, MAX_WAIT_MS))
}

/** The time (ms) before another request, which a server that is too busy may ask for (RFC 9110 §10.2.3). */
function readRetryAfter(headers: Headers): number {
  const text = headers.get('Retry-After') ?? ''
  const time = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(time) ? 0 : Math.min(time, MAX_TIMEOUT_MS)
}

/** The Fetch standard rejects with a TypeError for a network error (§5.6). workerd rejects with a plain error. */
function isNetworkError(error: unknown): boolean {
  const { name, message } = Object(error) as { readonly name?: unknown; readonly message?: unknown }
  return name === 'TypeError' || message === 'Network connection lost.'
}

function sleep(time: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, time)
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    signal?.addEventListener('abort', done, { once: true })
    if (signal?.aborted) done()
  })
}

const MAX_WAIT_MS = 30_000
/** The least time (ms) between two connections, for a server that asks for none. */
const MIN_WAIT_MS = 100
const MAX_FAILURES = 20
const NO_CONTENT = 204
/** Deviation: HTML §9.2.3 ends a stream for these, which proxies send while a server restarts. */
const TRANSIENT = [429, 502, 503, 504]
