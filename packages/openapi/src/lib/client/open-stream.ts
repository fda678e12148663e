import { plainIssues, pointerOf } from '@plumbline/problem/core'
import { runSchema } from '../schema/run-schema.ts'
import { createEventReader } from '../stream/event-reader.ts'
import { LAST_EVENT_ID, writeLastEventId } from '../stream/last-event-id.ts'
import { createLineReader } from '../stream/line-reader.ts'
import type { ClientInit } from './input-types.ts'
import type { OperationFacts } from './manifest.ts'
import type { ReadAnswer } from './read-answer.ts'
import { ResponseError } from './response-error.ts'
import type { SendRequest, StreamCall } from './stream-request.ts'

type Streams = NonNullable<OperationFacts['streams']>

/** A stream being read, over one or more connections. */
interface Reading {
  readonly streams: Streams
  readonly send: SendRequest
  readonly call: StreamCall
  readonly init: ClientInit
  lastId: string
  /** The time (ms) before reconnecting, which the server may choose. */
  retry: number
  count: number
}

/** Sends a request. A stream's body is an async iterable over its parts. */
export async function openStream(
  streams: Streams,
  send: SendRequest,
  call: StreamCall,
): Promise<ReadAnswer> {
  if (call.check === true && call.spec === null) {
    throw new TypeError('a client of a manifest cannot check events; create it from the operations')
  }
  const { check: _c, reconnect: _r, spec: _s, ...init } = call
  const answer = await send(init)
  if (formatsOf(streams, answer) === null) return answer
  const reading = { streams, send, call, init, lastId: '', retry: SECOND, count: 0 }
  return { ...answer, body: readAll(reading, answer) }
}

/** Yields the parts of an awaited answer; none if the request was aborted. */
export async function* iterateAnswer(
  answering: Promise<ReadAnswer>,
  signal: AbortSignal | null | undefined,
): AsyncGenerator<unknown, void> {
  let answer: ReadAnswer
  try {
    answer = await answering
  } catch (error) {
    if (signal?.aborted) return
    throw error
  }
  const { body } = answer
  if (!isAsyncIterable(body) || body instanceof ReadableStream) throw notAStream(answer)
  yield* body
}

async function* readAll(reading: Reading, first: ReadAnswer): AsyncGenerator<unknown, void> {
  const { signal, reconnect } = reading.call
  let answer: ReadAnswer | null = first
  while (answer !== null) {
    try {
      yield* readParts(reading, answer)
      if (reconnect !== 'always') return
    } catch (error) {
      if (signal?.aborted) return
      if (reconnect === undefined || !isTransient(error)) throw error
    }
    answer = signal?.aborted ? null : await connectAgain(reading)
  }
}

/** Connects again after a while, as often as it takes. Null if the server or the caller ends the stream. */
async function connectAgain(reading: Reading): Promise<ReadAnswer | null> {
  const { init, send, lastId } = reading
  const { signal } = init
  const headers = new Headers(init.headers)
  if (lastId !== '') headers.set(LAST_EVENT_ID, writeLastEventId(lastId))
  for (let wait = reading.retry; ; wait = Math.min(Math.max(wait, 1) * 2, HALF_MINUTE)) {
    await sleep(wait, signal)
    if (signal?.aborted) return null
    try {
      const answer = await send({ ...init, headers })
      if (formatsOf(reading.streams, answer) !== null) return answer
      if (answer.status === NO_CONTENT) return null
      if (!TRANSIENT.includes(answer.status)) throw notAStream(answer)
    } catch (error) {
      if (signal?.aborted) return null
      if (!isTransient(error)) throw error
    }
  }
}

async function* readParts(reading: Reading, answer: ReadAnswer): AsyncGenerator<unknown, void> {
  const { signal } = reading.call
  const source = (answer.body as ReadableStream<Uint8Array>).getReader()
  // A `fetch` that ignores the signal does not end the body.
  const abort = () => void source.cancel().catch(() => undefined)
  signal?.addEventListener('abort', abort, { once: true })
  const parse = createParser(reading, answer)
  try {
    for (;;) {
      const { done, value } = await source.read()
      if (signal?.aborted) return
      for (const part of parse(done ? null : value)) {
        reading.count += 1
        if (part.isDeclared) yield await checkPart(reading, answer, part)
      }
      if (done) return
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    abort()
  }
}

interface Part {
  readonly name: string
  /** The event, or the line's value. */
  readonly part: unknown
  readonly data: unknown
  /** False for events this client doesn't know, which a newer server may send. */
  readonly isDeclared: boolean
}

/** Returns the parts that end within a piece. Null marks the end of the stream. */
type Parse = (piece: Uint8Array | null) => readonly Part[]

function createParser(reading: Reading, { contentType, status, response }: ReadAnswer): Parse {
  const incomplete = (): never => {
    throw new ResponseError('incomplete', 'the stream ended within a part', response)
  }
  const parseJson = (text: string): unknown => {
    try {
      return JSON.parse(text)
    } catch (cause) {
      const message = `part ${reading.count + 1} of the stream is not JSON`
      throw new ResponseError('malformed', message, response, { cause })
    }
  }
  if (contentType !== EVENT_STREAM) {
    const lines = createLineReader()
    const lineOf = (text: string): Part => {
      const data = parseJson(text)
      return { name: 'line', part: data, data, isDeclared: true }
    }
    return (piece) => {
      if (piece !== null) return lines.read(piece).map(lineOf)
      try {
        return lines.end().map(lineOf)
      } catch {
        return incomplete()
      }
    }
  }
  const formats = reading.streams[keyOf(reading.streams, status)] ?? {}
  const events = createEventReader()
  return (piece) => {
    if (piece === null) return events.isCut() ? incomplete() : []
    const read = events.read(piece)
    reading.retry = events.retry() ?? reading.retry
    return read.map(({ event, data: text, id }) => {
      reading.lastId = id
      const isDeclared = Object.hasOwn(formats, event)
      const data = isDeclared && formats[event] !== 'text' ? parseJson(text) : text
      return {
        name: event,
        part: id === '' ? { event, data } : { event, data, id },
        data,
        isDeclared,
      }
    })
  }
}

async function checkPart(
  { call, streams, count }: Reading,
  { status, response }: ReadAnswer,
  { name, part, data }: Part,
): Promise<unknown> {
  if (call.check !== true) return part
  // Keys in `responses` are a status, a range or `default`.
  const declared = call.spec?.responses?.[keyOf(streams, status) as 'default']?.stream
  const schema = declared?.parts[name]
  const { issues } = schema ? await runSchema(schema, data) : {}
  const [first] = plainIssues(issues ?? [])
  if (first === undefined) return part
  const message = `event ${count} at ${pointerOf(first.path)}: ${first.message}`
  throw new ResponseError('event-mismatch', message, response)
}

/** How the answer's parts are sent; null if it isn't a stream with parts. */
function formatsOf(streams: Streams, { status, contentType, body }: ReadAnswer) {
  const isOfParts = body instanceof ReadableStream && PARTS.includes(contentType ?? '')
  return isOfParts ? (streams[keyOf(streams, status)] ?? null) : null
}

/** OpenAPI 3.1.1 §4.8.16: the code itself, then its range, then `default`. */
function keyOf(streams: Streams, status: number): string {
  const keys = [String(status), `${Math.floor(status / 100)}XX`]
  return keys.find((key) => Object.hasOwn(streams, key)) ?? 'default'
}

/** Whether another connection may succeed. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof ResponseError)) return true
  return error.code === 'incomplete' || TRANSIENT.includes(error.response.status)
}

function notAStream({ status, response }: ReadAnswer): ResponseError {
  return new ResponseError('not-a-stream', `the answer ${status} is not a stream`, response)
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
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
  })
}

const EVENT_STREAM = 'text/event-stream'
const PARTS = [EVENT_STREAM, 'application/jsonl', 'application/x-ndjson']
const SECOND = 1_000
const HALF_MINUTE = 30_000
const NO_CONTENT = 204
/** Statuses sent by a proxy, or by a server that is restarting. */
const TRANSIENT = [429, 502, 503, 504]
