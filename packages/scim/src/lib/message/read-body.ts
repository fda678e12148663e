import { concatenate, mediaTypeOf } from '@plumbline/base'
import { failure, type Result, success } from '@plumbline/result'
import { MEDIA_TYPE } from '../constants.ts'
import { ScimError } from '../error.ts'
import { readJson } from './read-json.ts'

/** The `readBody` options (RFC 7644 §3.1). */
export interface ReadBodyOptions {
  /** The maximum number of bytes. A longer body is `413`. Unlimited by default. */
  readonly limit?: number | undefined
  /**
   * Called with the number of bytes before the body is parsed, which blocks the event loop. It may return a promise to
   * wait for, so several large bodies do not block it together.
   */
  readonly turn?: ((bytes: number) => Promise<void> | undefined) | undefined
}

/**
 * Reads a request's JSON body.
 *
 * Accepts `application/scim+json`, `application/json` or no Content-Type. Another type is `415`, and so is a
 * `Content-Encoding` such as `gzip`. An empty body, an
 * incomplete one, and one that is not JSON in UTF-8 are `400 invalidSyntax`. So is a string, or a member's name, with a
 * lone surrogate (`"\ud800"`): it is not valid Unicode, and databases change it. An object with more than 5,000 members
 * is `400 tooMany`, whatever their names are. Throws a `TypeError` if the program has read the body before,
 * such as a parser of Express.
 *
 * @example
 * ```ts
 * import { readBody } from '@plumbline/scim'
 * import { unwrap } from '@plumbline/result'
 *
 * const request = new Request('http://localhost/Users', { method: 'POST', body: '{"userName":"b"}' })
 * request.headers.set('Content-Type', 'application/scim+json; charset=utf-8')
 * unwrap(await readBody(request)) //=> { userName: 'b' }
 * ```
 * @see RFC 7644 §3.1
 */
export async function readBody(
  request: Request,
  { limit = Number.POSITIVE_INFINITY, turn }: ReadBodyOptions = {},
): Promise<Result<unknown, ScimError>> {
  const type = request.headers.get('Content-Type')
  if (type !== null && !ACCEPTED.has(mediaTypeOf(type))) {
    return failure(new ScimError(415, `the body must be ${MEDIA_TYPE}, not ${type.slice(0, 100)}`))
  }
  const coding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') {
    // RFC 9110 §8.4: the bytes are not JSON.
    const detail = `the body must not be encoded, but its Content-Encoding is ${coding.slice(0, 100)}`
    return failure(new ScimError(415, detail))
  }
  if (request.bodyUsed) throw alreadyRead()
  if (Number(request.headers.get('Content-Length')) > limit) return failure(tooLarge(limit))
  let bytes: Uint8Array | null
  try {
    bytes = isEndedByLength(request)
      ? new Uint8Array(await request.arrayBuffer())
      : await readBytes(request.body, limit)
  } catch (cause) {
    if (isUnusable(cause) && request.signal?.aborted !== true) throw alreadyRead(cause)
    // If the client closes the connection, it is not a server error.
    const detail = 'the body could not be read'
    return failure(new ScimError(400, detail, { scimType: 'invalidSyntax', cause }))
  }
  if (bytes === null) return failure(tooLarge(limit))
  // HTTP delivers as many bytes as the Content-Length says, or an error.
  if (bytes.length === 0 && Number(request.headers.get('Content-Length')) > 0) throw alreadyRead()
  const waiting = turn?.(bytes.length)
  if (waiting !== undefined) await waiting
  return parseBody(bytes)
}

/** The error for a body that the program itself has read. */
export function alreadyRead(cause?: unknown): TypeError {
  const detail =
    'the body was read by another middleware: mount the endpoint before express.json() and other parsers'
  return new TypeError(detail, { cause })
}

/** Whether a body was rejected because it is empty. */
export function isEmptyBody({ message }: ScimError): boolean {
  return message === EMPTY
}

/** Whether runtimes and adapters reject a second reader with this error. */
function isUnusable(error: unknown): boolean {
  return error instanceof TypeError && /unusable|already|locked|disturbed/i.test(error.message)
}

function parseBody(bytes: Uint8Array): Result<unknown, ScimError> {
  try {
    return success(readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch (cause) {
    if (cause instanceof ScimError) return failure(cause)
    const detail = bytes.length === 0 ? EMPTY : 'the body is not valid JSON'
    return failure(new ScimError(400, detail, { scimType: 'invalidSyntax', cause }))
  }
}

/**
 * Whether HTTP ends the body after the Content-Length (RFC 9112 §6.3). That is known for requests from servers such as
 * @hono/node-server, which create a body's stream only when it is read, and creating it takes longer than everything
 * else here. It is not known for a `Request`: code such as a middleware may create one with another body and the same
 * headers.
 */
function isEndedByLength(request: Request): boolean {
  if (Object.getPrototypeOf(request) === Request.prototype) return false
  const { headers } = request
  return /^\d+$/.test(headers.get('Content-Length') ?? '') && !headers.has('Transfer-Encoding')
}

/** Reads a stream, and keeps at most `limit` bytes. Returns null if it has more. */
async function readBytes(stream: Request['body'], limit: number): Promise<Uint8Array | null> {
  if (stream === null) return new Uint8Array()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.byteLength
    if (length > limit) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
  return concatenate(chunks, length)
}

function tooLarge(limit: number): ScimError {
  return new ScimError(413, `the body is larger than ${limit} bytes`)
}

const EMPTY = 'the body is empty'
const ACCEPTED: ReadonlySet<string> = new Set([MEDIA_TYPE, 'application/json'])
