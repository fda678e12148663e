import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { ReceiverError, type Receivers } from './addresses.ts'

/**
 * Creates a `fetch` for requests to receivers. The host is resolved once, and the connection uses these addresses.
 * Redirects are not followed. Only the start of a body, and a few interim answers are read.
 */
export function createReceiverFetch(receivers: Receivers): (request: Request) => Promise<Response> {
  return async (request) => {
    const fault = receivers.check(request.url)
    if (fault !== null) throw new ReceiverError(`the URL ${fault}`)
    const url = new URL(request.url)
    const addresses = await receivers.addressesOf(url)
    const body = Buffer.from(await request.arrayBuffer())
    request.signal.throwIfAborted()
    return await exchange(request, url, { body, addresses })
  }
}

interface Sent {
  readonly body: Buffer
  readonly addresses: readonly string[]
}

function exchange(request: Request, url: URL, { body, addresses }: Sent): Promise<Response> {
  const { request: send } = url.protocol === 'https:' ? https : http
  const headers = { ...Object.fromEntries(request.headers), 'Content-Length': body.length }
  const { method, signal } = request
  const options = { method, headers, signal, agent: false, lookup: lookupOf(addresses) }
  return new Promise((resolve, reject) => {
    const sent = send(url, options, (answer) => {
      const finish = (bytes: Buffer): void => {
        // The rest is not read, and the connection is closed.
        answer.destroy()
        resolve(responseOf(answer, bytes))
      }
      readStart(answer).then(finish).catch(reject)
    })
    sent.on('error', reject)
    sent.on('socket', readInPieces)
    let interim = 0
    sent.on('information', () => {
      interim += 1
      if (interim > MAX_INTERIM) sent.destroy(new ReceiverError(TOO_MANY_INTERIM))
    })
    sent.end(body)
  })
}

/**
 * Passes a connection's bytes to Node's parser in small pieces. Otherwise it parses thousands of interim answers of a chunk
 * before the connection is closed.
 */
function readInPieces(socket: Socket): void {
  socket.on('readable', () => {
    while (!socket.destroyed) {
      // Node's parser gets the bytes through the event `data`.
      const length = Math.min(socket.readableLength, PIECE)
      if (socket.read(length === 0 ? undefined : length) === null) return
    }
  })
}

/** Answers the connection's look-up with the checked addresses. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, answer) => {
    if (options.all === true) return answer(null, found)
    answer(null, found[0]?.address ?? '', found[0]?.family)
  }
}

/** Reads a body's first bytes. */
async function readStart(answer: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= MAX_READ) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_READ)
}

function responseOf({ statusCode = 0, headers }: http.IncomingMessage, bytes: Buffer): Response {
  const type = headers['content-type']
  // A Response does not accept a body with these.
  const body = NULL_BODY.includes(statusCode) ? null : new Uint8Array(bytes)
  return new Response(body, { status: statusCode, headers: type ? { 'Content-Type': type } : {} })
}

const MAX_READ = 1_024
/** How many interim answers, such as 100 and 103, may precede an answer. */
const MAX_INTERIM = 10
const TOO_MANY_INTERIM = `the receiver sent more than ${MAX_INTERIM} interim answers`
/** In bytes. */
const PIECE = 512
const NULL_BODY = [204, 205, 304]
