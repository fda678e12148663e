import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReceivedRequest } from './received-request.ts'
import { TextResponse } from './text-response.ts'

/** Sends a response, as fast as the client reads it. If its body fails, the connection is aborted. */
export function send(response: Response, request: ReceivedRequest, outgoing: ServerResponse): void {
  try {
    const content = response instanceof TextResponse ? response.toSend() : null
    if (content === null) {
      sendWhole(response, request, outgoing).catch((error) => fail(error, request, outgoing))
    } else if (!outgoing.destroyed) {
      begin(request, outgoing).writeHead(response.status, content.headers)
      outgoing.end(content.text)
    }
  } catch (error) {
    fail(error, request, outgoing)
  }
}

/** Answers a request whose response cannot be sent with 500, or aborts a response that has begun. */
export function fail(error: unknown, request: ReceivedRequest, outgoing: ServerResponse): void {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy()
    return
  }
  console.error(error)
  begin(request, outgoing).writeHead(500, ['Content-Length', 0])
  outgoing.end()
}

async function sendWhole(
  { status, statusText, headers, body }: Response,
  request: ReceivedRequest,
  outgoing: ServerResponse,
): Promise<void> {
  const isHead = request.method === 'HEAD'
  if (outgoing.destroyed || isHead) await body?.cancel()
  if (outgoing.destroyed) return
  // Throws for a body that was read. Node has types of its own for the same streams.
  const source = isHead || body === null ? null : Readable.fromWeb(body as FromWeb)
  const sent: (string | number)[] = [...headers].flat()
  // RFC 9110 §8.6: the length of content, unless the status or the method excludes content.
  const isEmpty = body === null && !isHead && status !== 204 && status !== 304
  if (isEmpty && !headers.has('Content-Length')) sent.push('Content-Length', 0)
  begin(request, outgoing)
  if (statusText === '') outgoing.writeHead(status, sent)
  else outgoing.writeHead(status, statusText, sent)
  if (source === null) {
    outgoing.end()
    return
  }
  // The client sees that a stream begins.
  outgoing.flushHeaders()
  await pipeline(source, outgoing)
}

type FromWeb = Parameters<typeof Readable.fromWeb>[0]

/** A client that goes on to send a body which is not read is cut off after the response. */
function begin(request: ReceivedRequest, outgoing: ServerResponse): ServerResponse {
  if (!request.isReceived) outgoing.once('finish', () => request.closeLater())
  return outgoing
}
