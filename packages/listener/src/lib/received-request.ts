import type { IncomingMessage, ServerResponse } from 'node:http'
import { ReadableStream as ReadableStreamOfNode } from 'node:stream/web'
import {
  BodyReadError,
  checkUnread,
  type Incoming,
  type KnownContent,
  type TextInit,
} from '@plumbline/base'
import { type Content, ContentResponse } from './content-response.ts'
import { findKeptBody, type KeptBody } from './kept-body.ts'
import type { RawHeaders } from './raw-headers.ts'
import type { Target } from './request-target.ts'

/** A request as Node received it. A `Request` is made only if a program reads it. */
export class ReceivedRequest implements Incoming {
  readonly headers: RawHeaders
  readonly bodyLength: number
  readonly #target: Target
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  /** Null unless code in front of the listener has read the body. */
  readonly #kept: KeptBody | null
  #request: Request | null = null
  #controller: AbortController | null = null
  #isRead = false

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    headers: RawHeaders,
    target: Target,
  ) {
    this.headers = headers
    const { 'transfer-encoding': coding, 'content-length': length } = incoming.headers
    const sent = coding === undefined && length !== undefined ? Number(length) : Number.NaN
    const isRead = incoming.readableDidRead || (incoming.readableEnded && sent > 0)
    this.#kept = isRead ? findKeptBody(incoming, sent) : null
    this.bodyLength = Number.isNaN(sent) ? (this.#kept?.bytes?.byteLength ?? sent) : sent
    this.#target = target
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  get url(): string {
    return this.#target.origin + this.#target.path
  }

  get plain(): string | null {
    return this.#target.isPlain ? this.#target.path : null
  }

  get method(): string {
    return this.#incoming.method ?? ''
  }

  get bodyUsed(): boolean {
    return this.#request?.bodyUsed ?? this.#isRead
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#hasBody() ? this.toRequest().body : null
  }

  /** It is aborted if the connection ends before the response has been sent. */
  get signal(): AbortSignal {
    if (this.#controller !== null) return this.#controller.signal
    const controller = new AbortController()
    const outgoing = this.#outgoing
    const abort = (): void => {
      if (!outgoing.writableFinished) controller.abort()
    }
    if (outgoing.destroyed) abort()
    else outgoing.once('close', abort)
    this.#controller = controller
    return controller.signal
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    if (this.#request !== null) return await this.#request.arrayBuffer()
    const bytes = await this.bytesOf()
    if (bytes === 'unreadable') throw new TypeError('the client did not send the whole body')
    return bytes.slice().buffer
  }

  async bytesOf(): Promise<NodeBytes | 'unreadable'> {
    if (this.bodyUsed || this.#request?.body?.locked) throw new BodyReadError()
    try {
      if (this.#kept !== null) return this.#takeKept(this.#kept)
      if (this.#request !== null) return new Uint8Array(await this.#request.arrayBuffer())
      this.#isRead = true
      // Node reads the headers and a small body from one packet, and has all of it after a microtask.
      await null
      return (
        readAtHand(this.#incoming, this.bodyLength) ??
        (await readWhole(this.#incoming, this.bodyLength))
      )
    } catch (error) {
      checkUnread(this, error)
      // The client has gone.
      return 'unreadable'
    }
  }

  #takeKept({ bytes, isRejected }: KeptBody): NodeBytes | 'unreadable' {
    if (bytes === null && !isRejected) throw new BodyReadError()
    this.#isRead = true
    // An existing `Request` was read with it.
    void this.#request?.text().catch(() => undefined)
    return bytes ?? 'unreadable'
  }

  /** Whether the client sends nothing more of this request, or only what is being read. */
  get isReceived(): boolean {
    return this.#isRead || this.#incoming.complete || !this.#hasContent()
  }

  /** Closes the connection if the client does not end its request soon. */
  closeLater(): void {
    const incoming = this.#incoming
    if (incoming.complete) return
    const close = (): void => {
      if (!incoming.complete) incoming.socket.destroySoon()
    }
    setTimeout(close, MILLISECONDS_TO_END).unref()
  }

  respond(content: KnownContent, init: TextInit): Response {
    const { status } = init
    // A `Response` rejects content with these (Fetch §5.5).
    const isRejected = status < 200 || status > 599 || BODILESS.has(status)
    return isRejected ? new Response(content, init) : new ContentResponse(keep(content), init)
  }

  toRequest(): Request {
    this.#request ??= this.#createRequest()
    return this.#request
  }

  #createRequest(): Request {
    const { method, url, signal } = this
    const headers = this.headers.toHeaders()
    // Fetch §2.2.1 forbids only Fetch clients to send TRACE.
    const init = { method: method === 'TRACE' ? 'GET' : method, headers, signal }
    if (!this.#hasBody()) {
      return Object.defineProperty(new Request(url, init), 'method', { value: method })
    }
    const body = this.#isRead ? '' : this.#unreadBody()
    const request = new Request(url, { ...init, body, duplex: 'half' } as RequestInit)
    // The bytes were taken, so they cannot be read a second time.
    if (this.#isRead) void request.text()
    return request
  }

  /** The body for a `Request`, whose reader may verify the bytes' signature. */
  #unreadBody(): BodyInit {
    const kept = this.#kept
    if (kept?.isExact && kept.bytes !== null) return kept.bytes
    const chunks = readChunks(this.#incoming, kept === null ? this.bodyLength : Infinity)
    // Node has types of its own for the same streams.
    return ReadableStreamOfNode.from(chunks) as unknown as ReadableStream
  }

  /** Fetch §5.4: a `Request` does not have a body with these methods. */
  #hasBody(): boolean {
    return !BODILESS_METHODS.has(this.method) && this.#hasContent()
  }

  /** RFC 9112 §6.3: a request without these headers does not have content. */
  #hasContent(): boolean {
    return this.bodyLength >= 0 || this.headers.has('Transfer-Encoding')
  }
}

/** The content as it is now: a program may change its bytes before they are sent. */
function keep(content: KnownContent): Content {
  if (typeof content === 'string' || content instanceof Blob) return content
  if (content instanceof ArrayBuffer) return new Uint8Array(content.slice())
  return Uint8Array.from(new Uint8Array(content.buffer, content.byteOffset, content.byteLength))
}

/** Returns a body Node has received as a whole; null if more is to come. */
function readAtHand(incoming: IncomingMessage, length: number): NodeBytes | null {
  if (incoming.readableLength !== length || isTouched(incoming)) return null
  const bytes: Buffer<ArrayBuffer> | null = incoming.read()
  // The events of the end take a tenth of the processor time of a small request.
  if (incoming.listenerCount('end') + incoming.listenerCount('close') > 0) incoming.resume()
  return bytes
}

async function readWhole(incoming: IncomingMessage, length: number): Promise<NodeBytes> {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(incoming, length)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Throws a BodyReadError if other code has read the body or a part. */
async function* readChunks(incoming: IncomingMessage, length: number): AsyncGenerator<Buffer> {
  if (isTouched(incoming)) throw new BodyReadError()
  let left = length
  // A cancelled body does not end the connection: the response is still sent.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    left -= chunk.length
    yield chunk
  }
  if (left > 0) throw new BodyReadError()
}

/** Whether other code has taken bytes, or lets Node decode them. */
function isTouched({ readableDidRead, readableEncoding }: IncomingMessage): boolean {
  return readableDidRead || readableEncoding !== null
}

type NodeBytes = Uint8Array<ArrayBuffer>

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])
const BODILESS_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE'])
const MILLISECONDS_TO_END = 500
