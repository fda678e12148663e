import { isResponse, notify, own } from '@plumbline/base'
import { createPartChecker } from '../check/check-parts.ts'
import type { Contract } from '../check/responses.ts'
import { ConformanceError } from '../check/violation.ts'
import { runSchema } from '../schema/run-schema.ts'
import { isSchema } from '../schema/standard-schema.ts'
import type { StreamSpec } from '../spec/stream-spec.ts'
import { readLastEventId } from '../stream/last-event-id.ts'
import { writeStream } from '../stream/write-stream.ts'
import type { ReplyOptions, WriteReply } from './reply.ts'
import type { ServerOptions } from './types.ts'

/** A request to an operation with streams, and the functions needed to answer it. */
export interface StreamExchange {
  readonly request: Request
  readonly contract: Contract
  readonly handler: (context: object) => unknown
  /** The context passed to every handler. */
  readonly context: object
  readonly write: WriteReply
  /** Reports an error and returns the problem for the client. */
  readonly report: (error: unknown) => Promise<Response>
  readonly options: ServerOptions
}

/** Calls a handler, which may return stream parts or yield them as a generator. */
export async function answerStream(exchange: StreamExchange): Promise<unknown> {
  const { request, contract, handler, context, write } = exchange
  const ending = new AbortController()
  const abort = (): void => ending.abort(request.signal.reason)
  if (request.signal.aborted) abort()
  else request.signal.addEventListener('abort', abort, { once: true })

  const reply = (status: number, body: unknown, options: ReplyOptions = {}): Response => {
    const stream = findStream(contract, status)
    if (stream === undefined || !isSource(body, contract, status)) {
      return write(request, status, body, options)
    }
    const content = sendParts(body, stream, exchange, ending)
    const headers = { 'Cache-Control': 'no-cache', ...options.headers }
    return write(request, status, content, { contentType: stream.mediaTypes[0], headers })
  }
  const lastEventId = readLastEventId(request.headers)
  const returned = await handler({ ...context, signal: ending.signal, lastEventId, reply })
  if (isResponse(returned) || !isAsyncIterable(returned)) return returned
  return reply(statusOfStream(contract), returned)
}

function sendParts(
  source: AsyncIterable<unknown>,
  stream: StreamSpec,
  exchange: StreamExchange,
  ending: AbortController,
): ReadableStream<Uint8Array> {
  const { report, options } = exchange
  return writeStream(source, {
    format: stream.format,
    heartbeat: options.heartbeat ?? QUARTER_MINUTE,
    ending,
    check: createCheck(stream, exchange),
    fail: async (error) => await writeFailure(stream, await report(error)),
    onLateError: (error) => {
      if (!isOfSignal(error, ending.signal)) void report(error)
    },
  })
}

/** Writes the event for a failure, if the stream declares `error` and the event's schema accepts the problem. */
async function writeFailure(stream: StreamSpec, problem: Response): Promise<string | null> {
  const schema = stream.kind === 'events' ? own(stream.parts, 'error') : undefined
  if (!isSchema(schema)) return null
  try {
    const data: unknown = await problem.json()
    const { issues } = await runSchema(schema, data)
    return issues ? null : stream.format.write({ event: 'error', data })
  } catch {
    // The problem `onError` chose isn't JSON.
    return null
  }
}

/** Checks each part as a client reads it, if the options ask for it. */
function createCheck(
  stream: StreamSpec,
  { request, contract, options }: StreamExchange,
): ((text: string) => Promise<void>) | undefined {
  const { checkResponses, onViolation } = options
  if (checkResponses !== 'throw' && checkResponses !== 'report') return undefined
  const { operationId } = contract
  const encoder = new TextEncoder()
  const reader = stream.format.createReader()
  const check = createPartChecker(operationId, stream)
  return async (text) => {
    for (const part of reader.read(encoder.encode(text))) {
      const violations = await check(part)
      if (violations.length === 0) continue
      notify('onViolation', () => onViolation?.(violations, { request, operationId }))
      if (checkResponses === 'throw') throw new ConformanceError(violations)
    }
  }
}

function findStream({ responses }: Contract, status: number): StreamSpec | undefined {
  const declared =
    responses.get(String(status)) ??
    responses.get(`${Math.floor(status / 100)}XX`) ??
    responses.get('default')
  return declared?.stream
}

/** The status for parts returned without `reply`. */
function statusOfStream({ responses }: Contract): number {
  for (const [key, { stream }] of responses) {
    if (stream !== undefined) return /^\d+$/.test(key) ? Number(key) : SUCCESS
  }
  return SUCCESS
}

/** A ReadableStream may also be the bytes for another media type. */
function isSource(
  body: unknown,
  { responses }: Contract,
  status: number,
): body is AsyncIterable<unknown> {
  const isBytes = body instanceof ReadableStream && responses.get(String(status))?.body.length !== 0
  return isAsyncIterable(body) && !isBytes
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Whether a source ended only because its signal was aborted. */
function isOfSignal(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}

const SUCCESS = 200
const QUARTER_MINUTE = 15_000
