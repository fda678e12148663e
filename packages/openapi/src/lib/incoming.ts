import { checkArrived, checkUnread } from './body-read-error.ts'
import { readStream } from './read-stream.ts'

/**
 * A request as this package reads it: a `Request`, or what a server gives before a program needs one. A `Request` and a
 * `Response` take a third of the processor time of a small request over HTTP.
 */
export interface Incoming
  extends Pick<Request, 'method' | 'url' | 'body' | 'bodyUsed' | 'signal' | 'arrayBuffer'> {
  readonly headers: Pick<Headers, 'get' | 'has'>
  /** The URL's path and query, if the path does not have a dot or a percent sign and a URL keeps both as they are. */
  readonly plain?: string | null
  /** Makes the `Request`; a `Request` itself does not have this function. */
  readonly toRequest?: () => Request
  /** The body's length (bytes) according to the headers (RFC 9112 §6.3); NaN if only the end shows it. */
  readonly bodyLength?: number
  /**
   * Calls a function with the body's bytes, which are not copied, or with null if the client does not send all of them.
   * A promise of the bytes would take longer.
   */
  readonly useBytes?: <Used>(use: (bytes: Bytes | null) => Used) => Promise<Awaited<Used>>
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
 * Calls a function with a request's body, or with null if the client does not send all of it. Rejects with a
 * BodyReadError if other code has read it.
 */
export function useBytes<Used>(
  incoming: Incoming,
  use: (bytes: Bytes | null) => Used,
): Promise<Awaited<Used>> {
  if (incoming.useBytes !== undefined) return incoming.useBytes(use)
  const hasStream = IS_NODE && isPlainRequest(incoming)
  const reading = hasStream
    ? // Node makes each `Request` with a stream of its body, and copies the bytes before it gives them: the stream takes
      // less time. Bun and Deno make the stream only on access, which takes longer.
      readStream(incoming).then((bytes) => use(typeof bytes === 'string' ? null : bytes))
    : incoming.arrayBuffer().then(
        (bytes) => {
          checkArrived(incoming, bytes.byteLength)
          return use(bytes)
        },
        (error) => {
          checkUnread(incoming, error)
          return use(null)
        },
      )
  // TypeScript does not know that a promise awaits what the functions return.
  return reading as Promise<Awaited<Used>>
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

/** An object that answers requests, such as an API. */
export interface Served {
  fetch(request: Request): Response | Promise<Response>
}

/**
 * Reports that the answer to a request could not be sent, and returns another one; null without one. It never rejects.
 */
export type Recover = (incoming: Incoming, error: unknown) => Promise<Response | null>

/** The functions of this package that answer every `Incoming`. */
const receivers = new WeakMap<object, Recover>()

/** Notes that a function answers every `Incoming`. */
export function receives<Fetch extends (incoming: Incoming) => Promise<Response>>(
  fetch: Fetch,
  recover: Recover,
): Fetch {
  receivers.set(fetch, recover)
  return fetch
}

/** How an object answers an `Incoming`. Only functions of others need a `Request`. */
export function receiverOf(served: Served): {
  readonly receive: (incoming: Incoming) => Response | Promise<Response>
  readonly recover: Recover
} {
  const { fetch } = served
  const recover = receivers.get(fetch)
  return recover === undefined
    ? { receive: (incoming) => served.fetch(requestOf(incoming)), recover: writeToConsole }
    : { receive: fetch as (incoming: Incoming) => Promise<Response>, recover }
}

async function writeToConsole(_: Incoming, error: unknown): Promise<null> {
  console.error(error)
  return null
}

// Node 20 does not have a navigator.
const IS_NODE = globalThis.navigator?.userAgent?.startsWith('Node.js/') ?? false
