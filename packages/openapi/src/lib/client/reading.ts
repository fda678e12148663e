import type { ClientInit } from './input-types.ts'
import type { OperationFacts } from './manifest.ts'
import type { ReadAnswer } from './read-answer.ts'
import { ResponseError } from './response-error.ts'
import type { StreamCall, StreamOperation } from './stream-request.ts'

/** A stream being read, over one or more connections. */
export interface Reading {
  readonly operation: StreamOperation
  readonly call: StreamCall
  lastId: string
  /** The time (ms) before reconnecting, which the server may choose. */
  retry: number
  /** The parts read so far. */
  count: number
  /** The connections in a row that failed without a byte. A quiet stream may have only comments. */
  failures: number
}

/** The fetch options without those of the stream. */
export function initOf({ check: _c, reconnect: _r, spec: _s, ...init }: StreamCall): ClientInit {
  return init
}

/** The media types to ask for: those of the streams, or of the bodies declared next to them. */
export function typesOf(
  { responses, streams = {} }: OperationFacts,
  wanted: 'stream' | 'body',
): readonly string[] {
  const types = Object.keys(streams).flatMap((status) => responses[status] ?? [])
  const bodies = types.filter((type) => !PARTS.includes(type))
  return wanted === 'body' && bodies.length > 0
    ? bodies
    : types.filter((type) => PARTS.includes(type))
}

/** How the answer's parts are sent; null if it isn't a stream with parts. */
export function formatsOf(
  { streams = {} }: OperationFacts,
  { status, contentType, body }: ReadAnswer,
): Readonly<Record<string, string>> | null {
  const isOfParts = body instanceof ReadableStream && PARTS.includes(contentType ?? '')
  return isOfParts ? (streams[keyOf(streams, status)] ?? null) : null
}

/** OpenAPI 3.1.1 §4.8.16: the code itself, then the range, then `default`. */
export function keyOf(streams: NonNullable<OperationFacts['streams']>, status: number): string {
  const keys = [String(status), `${Math.floor(status / 100)}XX`]
  return keys.find((key) => Object.hasOwn(streams, key)) ?? 'default'
}

/** The error for an answer without parts. */
export function notAStream({ status, response }: ReadAnswer): ResponseError {
  return new ResponseError('not-a-stream', `the answer ${status} is not a stream`, response)
}

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream'
const PARTS = [EVENT_STREAM, 'application/jsonl', 'application/x-ndjson']
