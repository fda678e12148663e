import { MEDIA_TYPE } from '../constants.ts'
import { stringifyJson } from '../message/raw-json.ts'
import type { Answer } from './core/exchange.ts'
import type { ExtraHeaders } from './options/headers.ts'

/** Counts an unsent response until the returned function is called; see `Outbox`. */
export type Hold = (length: number) => () => void

/**
 * Writes an answer. A large body is sent as fast as the client reads, and counted until then. Throws a ScimError,
 * `503`, if too much is unread.
 */
export function respond(answer: Answer, extra: ExtraHeaders, hold: Hold): Response {
  const { status, body } = answer
  const init = { status, headers: headersOf(answer, extra) }
  if (body === null) return new Response(null, init)
  const pieces: readonly string[] = Array.isArray(body) ? body : [stringifyJson(body)]
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length <= SMALL) return new Response(pieces.join(''), init)
  const release = hold(length)
  const chunks = chunksOf(pieces)
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value, done } = chunks.next()
      if (!done) return controller.enqueue(value)
      release()
      controller.close()
    },
    cancel: release,
  })
  return new Response(stream, init)
}

/** The response to a HEAD request (RFC 9110 §9.3.2). */
export function respondWithoutBody(answer: Answer, extra: ExtraHeaders): Response {
  return new Response(null, { status: answer.status, headers: headersOf(answer, extra) })
}

function headersOf({ headers, body }: Answer, extra: ExtraHeaders): Record<string, string> {
  return body === null
    ? { ...extra, ...PROTECTION, ...headers }
    : { ...extra, 'Content-Type': MEDIA_TYPE, ...PROTECTION, ...headers }
}

/** The pieces' bytes in chunks, so a socket buffers only one chunk. Short pieces share one. */
function* chunksOf(pieces: readonly string[]): Generator<Uint8Array, undefined> {
  let waiting = ''
  for (const piece of pieces) {
    if (waiting.length + piece.length > SMALL) {
      yield* cut(waiting)
      waiting = ''
    }
    waiting += piece
  }
  yield* cut(waiting)
}

function* cut(text: string): Generator<Uint8Array, undefined> {
  const bytes = encoder.encode(text)
  for (let at = 0; at < bytes.length; at += SMALL) yield bytes.subarray(at, at + SMALL)
}

const encoder = new TextEncoder()
/** In bytes: a response up to this size is sent whole, and a larger one in chunks of this size. */
const SMALL = 64 * 2 ** 10
/** Resources are personal data: they must not be cached, or be interpreted as another media type. */
const PROTECTION = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
