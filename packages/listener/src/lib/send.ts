import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isReported, type Recover } from '@plumbline/base'
import { announcedLength, isDecoded, listHeaders } from './answer-headers.ts'
import { ContentResponse } from './content-response.ts'
import type { ReceivedRequest } from './received-request.ts'

/**
 * Sends a response, as fast as the client reads it. If the body fails, or does not have the announced length, the
 * connection is aborted.
 */
export function send(
  response: Response,
  request: ReceivedRequest,
  outgoing: ServerResponse,
  recover: Recover,
): void {
  const failed = (error: unknown): void => void fail(error, request, outgoing, recover)
  try {
    const known = response instanceof ContentResponse ? response.toSend() : null
    if (known === null) sendWhole(response, request, outgoing).catch(failed)
    else if (!outgoing.destroyed) {
      const { content, length, headers } = known
      const sent = Array.isArray(headers) ? [...othersOf(outgoing), ...headers] : headers
      begin(request, outgoing).writeHead(response.status, sent)
      if (request.method === 'HEAD') outgoing.end()
      else if (content instanceof Blob) sendBody(content.stream(), length, outgoing).catch(failed)
      else {
        // ASCII headers and a text are written together, which takes less time.
        if (typeof content !== 'string' || !hasAsciiHeaders(outgoing)) writeHeaders(outgoing)
        outgoing.end(content)
      }
    }
  } catch (error) {
    failed(error)
  }
}

/** Answers a request whose response cannot be sent, or aborts a response that has begun. */
export async function fail(
  error: unknown,
  request: ReceivedRequest,
  outgoing: ServerResponse,
  recover: Recover,
): Promise<void> {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy()
    if (!isOfClient(error) && !isReported(error)) await recover(request, error)
    return
  }
  const response = await recover(request, error)
  if (outgoing.destroyed) return
  // Node keeps the text of a rejected status.
  outgoing.statusMessage = ''
  try {
    await sendWhole(response ?? new Response(null, { status: 500 }), request, outgoing)
  } catch (another) {
    console.error(another)
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(500, ['Content-Length', 0]).end()
  }
}

async function sendWhole(
  response: Response,
  request: ReceivedRequest,
  outgoing: ServerResponse,
): Promise<void> {
  const { status, statusText, headers, body } = response
  const isHead = request.method === 'HEAD'
  if (outgoing.destroyed || isHead) await body?.cancel()
  if (outgoing.destroyed) return
  const decoded = isDecoded(response)
  const own = listHeaders(headers, decoded ? 'content-encoding' : null)
  const sent: (string | number)[] = [...othersOf(outgoing), ...own]
  // RFC 9110 §8.6: the content's length, unless the status or the method excludes content.
  const isDescribed = body !== null || isHead || status === 304
  const announced = decoded ? null : announcedLength(headers)
  // With a length of 0, the client would have a whole answer before the body.
  const length = status === 204 ? null : isDescribed ? announced || null : 0
  if (length !== null) sent.push('Content-Length', length)
  // Throws for a body already read, before the headers are sent.
  const source = isHead || body === null ? null : readable(body)
  begin(request, outgoing)
  if (statusText === '') outgoing.writeHead(status, sent)
  else outgoing.writeHead(status, statusText, sent)
  if (source === null) outgoing.end()
  else await pipe(source, length, outgoing)
}

function sendBody(body: ReadableStream, length: number, outgoing: ServerResponse): Promise<void> {
  return pipe(readable(body), length, outgoing)
}

function readable(body: ReadableStream): Readable {
  // Node has types of its own for the same streams.
  return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
}

async function pipe(
  source: Readable,
  length: number | null,
  outgoing: ServerResponse,
): Promise<void> {
  // The client sees the start of a stream.
  writeHeaders(outgoing)
  if (length === null) await pipeline(source, outgoing)
  else await pipeline(source, (chunks) => exactly(chunks, length), outgoing)
}

/** A body's chunks, if they have this length: other bytes would be the next response (RFC 9112 §6.3). */
async function* exactly(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): AsyncIterable<Uint8Array> {
  let left = length
  let last: Uint8Array | null = null
  for await (const chunk of chunks) {
    if (chunk.byteLength === 0) continue
    left -= chunk.byteLength
    if (left < 0) break
    // With the last byte, the client would have a whole answer.
    if (left === 0) last = chunk
    else yield chunk
  }
  if (left !== 0)
    throw new TypeError(`the body does not have the ${length} bytes of Content-Length`)
  if (last !== null) yield last
}

/** The lists other code has set, which Node would replace with the answer's. */
function othersOf(outgoing: ServerResponse): readonly string[] {
  return ['set-cookie', 'vary'].flatMap((name) =>
    [outgoing.getHeader(name) ?? []].flat().flatMap((value) => [name, String(value)]),
  )
}

/**
 * Writes the headers as bytes. With a text, Node writes them as UTF-8. With bytes, it writes them before a `100 Continue`
 * that waits for the answer to another request.
 */
function writeHeaders(outgoing: ServerResponse): void {
  outgoing.write('', 'latin1')
}

/** Whether the headers other code has set are ASCII. */
function hasAsciiHeaders(outgoing: ServerResponse): boolean {
  return Object.values(outgoing.getHeaders())
    .flat()
    .every((value) => ASCII.test(String(value)))
}

/** Whether a response failed because the client closed the connection. */
function isOfClient(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || OF_CLIENT.has(codeOf(error)))
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}

/** A client still sending an unread body is cut off after the response. */
function begin(request: ReceivedRequest, outgoing: ServerResponse): ServerResponse {
  if (!request.isReceived) outgoing.once('finish', () => request.closeLater())
  return outgoing
}

const ASCII = /^[\t\x20-\x7e]*$/
const OF_CLIENT: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
])
