import { BodyReadError, checkArrived, checkUnread } from './body-read-error.ts'
import { readStream } from './read-stream.ts'

/**
 * A request as this package reads it: a `Request`, or what a server gives before a program needs one. A `Request` and a
 * `Response` take a third of the processor time of a small request over HTTP.
 */
export interface Incoming
  extends Pick<Request, 'method' | 'url' | 'body' | 'bodyUsed' | 'signal' | 'arrayBuffer'> {
  readonly headers: Pick<Headers, 'get' | 'has'>
  /** Whether node:http has given the body to a reader, who may not be this request. */
  readonly isGiven?: boolean
  /** The URL's path and query, if the path does not have a dot or a percent sign and a URL keeps both as they are. */
  readonly plain?: string | null
  /** Makes the `Request`; a `Request` itself does not have this function. */
  readonly toRequest?: () => Request
  /** The body's length (bytes) according to the headers (RFC 9112 §6.3); NaN if only the end shows it. */
  readonly bodyLength?: number
  /** Reads the body's bytes, which are not copied; `unreadable` if the client does not send all of them. */
  readonly bytesOf?: () => Promise<Bytes | 'unreadable'>
  /** Makes a response that this server can write without a `Response`. It omits the content of answers to HEAD itself. */
  readonly respond?: (content: KnownContent, init: TextInit) => Response
}

/** Returns the query of a request's URL, without the question mark; null without one. */
export function queryOf(incoming: Incoming): string | null {
  const url = incoming.plain ?? incoming.url
  const fragment = url.indexOf('#')
  const end = fragment < 0 ? url.length : fragment
  const from = url.indexOf('?') + 1
  return from === 0 || from > end ? null : url.slice(from, end)
}

/** A body's bytes. */
export type Bytes = ArrayBuffer | Uint8Array<ArrayBuffer>

/**
 * Reads a request's body; `unreadable` if the client does not send all of it. Throws or rejects with a BodyReadError if
 * other code has read it.
 */
export function readBody(incoming: Incoming): Promise<Bytes | 'unreadable'> {
  // Read `request.body` only if it decides: some servers create the body's stream only on access.
  if (incoming.bodyUsed) throw new BodyReadError()
  // Bun sets a form's Content-Type when headers are read, but not after the body was read.
  void incoming.headers
  if (incoming.bytesOf !== undefined) return incoming.bytesOf()
  // Node makes each `Request` with a stream of its body, and copies the bytes before it gives them: the stream takes
  // less time. Bun and Deno make the stream only on access, which takes longer.
  return IS_NODE && isPlainRequest(incoming) ? readStream(incoming) : readBuffer(incoming)
}

async function readBuffer(incoming: Incoming): Promise<Bytes | 'unreadable'> {
  try {
    const bytes = await incoming.arrayBuffer()
    checkArrived(incoming, bytes.byteLength)
    return bytes
  } catch (error) {
    checkUnread(incoming, error)
    return 'unreadable'
  }
}

/** Returns whether it is a `Request` of the runtime. Some servers create the body's stream of their own only on access. */
export function isPlainRequest(incoming: Incoming): boolean {
  return Object.getPrototypeOf(incoming) === Request.prototype
}

/** The content of a response whose size is known. */
export type KnownContent = string | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>

/** The status and the headers of a response whose size is known. */
export interface TextInit {
  readonly status: number
  readonly headers: Headers | { readonly 'Content-Type': string }
}

/** Returns the `Request` for code outside this package. */
export function requestOf(incoming: Incoming): Request {
  // Without the function, it is one.
  return incoming.toRequest === undefined ? (incoming as Request) : incoming.toRequest()
}

/** Whether a value is a response, also after an adapter such as @hono/node-server has replaced the global `Response`. */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === '[object Response]'
}

/** An object with a function to answer requests, such as an API. */
export interface Served {
  fetch(request: Request): Response | Promise<Response>
}

/**
 * Reports that the answer to a request could not be sent, and returns another one; null without one. It never rejects.
 */
export type Recover = (incoming: Incoming, error: unknown) => Promise<Response | null>

/** A function that answers every `Incoming`, and not only a `Request`. */
interface Receiver {
  (incoming: Incoming): Response | Promise<Response>
  readonly [RECOVER]: Recover
}

/** Marks a function as one for every `Incoming`. */
export function receives<Fetch extends (incoming: Incoming) => Promise<Response>>(
  fetch: Fetch,
  recover: Recover,
): Fetch {
  return Object.defineProperty(fetch, RECOVER, { value: recover })
}

/** How an object answers an `Incoming`. Only functions of others need a `Request`. */
export function receiverOf(served: Served): {
  readonly receive: (incoming: Incoming) => Response | Promise<Response>
  readonly recover: Recover
} {
  const { fetch } = served
  if (isReceiver(fetch)) return { receive: fetch, recover: fetch[RECOVER] }
  return { receive: (incoming) => served.fetch(requestOf(incoming)), recover: writeToConsole }
}

function isReceiver(fetch: object): fetch is Receiver {
  return RECOVER in fetch
}

async function writeToConsole(_: Incoming, error: unknown): Promise<null> {
  console.error(error)
  return null
}

/** In the registry, because each package has a copy of the listener. */
const RECOVER = Symbol.for('@plumbline/recover')
// Node 20 does not have a navigator.
const IS_NODE = globalThis.navigator?.userAgent?.startsWith('Node.js/') ?? false
