import { ExaminationError } from '../examination-error.ts'
import type { Exchange, Method } from './exchange.ts'
import type { ExaminationLimits } from './limits.ts'
import type { Redaction } from './redaction.ts'

/** A function that answers requests like `fetch`. */
export type Fetch = (request: Request) => Promise<Response>

/** The parts of a transport. */
export interface TransportOptions {
  readonly fetch: Fetch
  readonly limits: ExaminationLimits
  /** Removes what never reaches a report. */
  readonly redaction: Redaction
  readonly signal: AbortSignal | undefined
  /** Waits; `sleep`, or a test function. */
  readonly sleep: typeof sleep
}

/** One request. */
export interface Outgoing {
  readonly method: Method
  readonly url: string
  readonly headers: Headers
  readonly body: string | null
  /** Whether the request does not wait for the rate. The next ones wait longer instead. */
  readonly isUrgent: boolean
}

/** The parts of a response, read completely. */
export interface Incoming {
  /** The URL that answered, after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Sends requests within the limits: one after the other, not faster than the rate, and again after a `429`. It
 * records every exchange without the secrets. Throws an ExaminationError without a response.
 */
export type Transport = (
  outgoing: Outgoing,
  record: (exchange: Exchange) => void,
) => Promise<Incoming>

/** Creates a transport. */
export function createTransport(options: TransportOptions): Transport {
  const { limits, signal, sleep } = options
  let next = 0
  return async (outgoing, record) => {
    for (let attempt = 0; ; attempt += 1) {
      if (Number.isFinite(limits.rate)) {
        const now = performance.now()
        const wait = next - now
        next = Math.max(next, now) + 1_000 / limits.rate
        if (wait > 0 && !outgoing.isUrgent) await sleep(wait, signal)
      }
      const incoming = await follow(options, outgoing, record)
      const pause = pauseOf(incoming, limits)
      if (pause === null) return incoming
      if (incoming.status !== 429 && (attempt >= MAX_LOST || attempt >= limits.retries)) {
        throw new ExaminationError('unavailable', `${labelOf(outgoing)}: ${incoming.status}`)
      }
      if (attempt >= limits.retries) {
        throw new ExaminationError('busy', `${labelOf(outgoing)}: ${incoming.status} after retries`)
      }
      await sleep(pause, signal)
    }
  }
}

/** Waits. Throws an ExaminationError if the examination is interrupted meanwhile. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted === true) reject(interrupted())
      else resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted === true) finish()
  })
}

function interrupted(): ExaminationError {
  return new ExaminationError('interrupted', 'the examination was interrupted')
}

/** Follows at most three redirects within the origin, so credentials are not sent elsewhere. */
async function follow(
  options: TransportOptions,
  outgoing: Outgoing,
  record: (exchange: Exchange) => void,
): Promise<Incoming> {
  let current = outgoing
  for (let hops = 0; hops <= 3; hops += 1) {
    const incoming = await sendRecorded(options, current, record)
    const location = incoming.headers.get('Location')
    if (!REDIRECTS.has(incoming.status) || location === null) return incoming
    const target = URL.canParse(location, current.url) ? new URL(location, current.url) : null
    if (target === null || target.origin !== new URL(current.url).origin) {
      const where = target === null ? location : target.origin
      throw new ExaminationError(
        'redirected',
        `${labelOf(current)}: redirected to ${options.redaction.redact(where)}`,
      )
    }
    current = { ...current, url: target.href }
  }
  throw new ExaminationError('redirected', `${labelOf(outgoing)}: redirected more than three times`)
}

async function sendRecorded(
  options: TransportOptions,
  outgoing: Outgoing,
  record: (exchange: Exchange) => void,
): Promise<Incoming> {
  const { redact, addCookies } = options.redaction
  const started = performance.now()
  const finish = (incoming: Incoming | null, fault: string | null): void => {
    if (incoming !== null) addCookies(incoming.headers)
    record({
      method: outgoing.method,
      url: redact(outgoing.url),
      requestHeaders: headersOf(outgoing.headers, redact),
      requestBody: outgoing.body === null ? null : shorten(redact(outgoing.body)),
      status: incoming?.status ?? null,
      responseHeaders: incoming === null ? {} : headersOf(incoming.headers, redact),
      responseBody: incoming === null ? null : shorten(redact(incoming.text)),
      fault,
      duration: performance.now() - started,
    })
  }
  try {
    const incoming = await send(options, outgoing)
    finish(incoming, null)
    return incoming
  } catch (error) {
    if (!(error instanceof ExaminationError)) throw error
    finish(null, error.message)
    throw error
  }
}

async function send(options: TransportOptions, outgoing: Outgoing): Promise<Incoming> {
  const { limits, signal: outer } = options
  const label = labelOf(outgoing)
  if (outer?.aborted === true) throw interrupted()
  const abort = new AbortController()
  let stop = (error: ExaminationError): void => abort.abort(error)
  const stopped = new Promise<never>((_, reject) => {
    stop = (error) => {
      reject(error)
      abort.abort(error)
    }
  })
  const interrupt = (): void => stop(interrupted())
  const timer = setTimeout(
    () =>
      stop(new ExaminationError('timeout', `${label}: no response within ${limits.timeout} ms`)),
    limits.timeout,
  )
  // The response to a write says what it created and must be deleted, so it is awaited.
  if (outgoing.method === 'GET') outer?.addEventListener('abort', interrupt, { once: true })
  try {
    return await Promise.race([receive(options, outgoing, abort.signal), stopped])
  } catch (error) {
    if (error instanceof ExaminationError) throw error
    const reason = options.redaction.redact(reasonOf(error))
    throw new ExaminationError('unreachable', `${label}: ${reason}`, { cause: error })
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', interrupt)
  }
}

async function receive(
  { fetch, limits }: TransportOptions,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Incoming> {
  const { method, url, headers, body } = outgoing
  const response = await fetch(
    new Request(url, { method, headers, body, signal, redirect: 'manual' }),
  )
  const text = await readText(response, limits.maxBody, labelOf(outgoing))
  return { url, status: response.status, headers: response.headers, text }
}

async function readText(response: Response, limit: number, label: string): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > limit) {
      // A server that sends without end must not delay the error.
      reader.cancel().catch(() => undefined)
      throw new ExaminationError(
        'too-large',
        `${label}: the response has more than ${limit} characters`,
      )
    }
  }
}

/** How long (ms) to wait before the request is repeated: as the server asks, or a moment; null if it is answered. */
function pauseOf({ status, headers }: Incoming, { maxWait }: ExaminationLimits): number | null {
  const after = headers.get('Retry-After')
  if (status !== 429 && !GATEWAY.has(status)) return null
  const seconds = Number(after ?? (status === 429 ? 1 : 0.2))
  const wait = Number.isNaN(seconds) ? Date.parse(after ?? '') - Date.now() : seconds * 1_000
  return Math.min(Math.max(Number.isNaN(wait) ? 1_000 : wait, 0), maxWait)
}

function labelOf({ method, url }: Outgoing): string {
  return `${method} ${new URL(url).pathname}`
}

/** Joins an error's message with the cause's, which says why `fetch` failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

function headersOf(headers: Headers, redact: Redaction['redact']): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, COOKIES.test(name) ? '***' : redact(value)]),
  )
}

/** Shortens a body, because a report with many large ones must fit into memory. */
function shorten(text: string): string {
  if (text.length <= MAX_RECORDED) return text
  return `${text.slice(0, MAX_RECORDED)}… (${text.length - MAX_RECORDED} more characters)`
}

const COOKIES = /^(set-cookie2?|cookie)$/i

/** Statuses from a gateway whose server did not answer: they say nothing about a rule. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504])
/** How often a request is repeated after such a status. */
const MAX_LOST = 2

const MAX_RECORDED = 16_384

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
