import type { OutgoingHttpHeaders } from 'node:http'
import type { TextInit } from '@plumbline/base'
import { listHeaders } from './answer-headers.ts'

/** An answer's content with a known size. */
export type Content = string | Uint8Array<ArrayBuffer> | Blob

/**
 * A response whose content Node can send without a `Response`. One is made if a program reads more than the status and
 * the headers.
 */
export class ContentResponse implements Response {
  readonly status: number
  readonly #content: Content
  #headers: TextInit['headers']
  #response: Response | null = null

  constructor(content: Content, { status, headers }: TextInit) {
    this.status = status
    this.#content = content
    this.#headers = headers
  }

  /** The content with its length (bytes) and headers; null if a program has made the `Response`. */
  toSend(): {
    readonly content: Content
    readonly length: number
    readonly headers: OutgoingHttpHeaders | string[]
  } | null {
    if (this.#response !== null) return null
    const content = this.#content
    const headers = this.#headers
    const length = lengthOf(content)
    if (!(headers instanceof Headers)) {
      return {
        content,
        length,
        headers: { 'Content-Type': headers['Content-Type'], 'Content-Length': length },
      }
    }
    const sent = [...listHeaders(headers), 'Content-Length', String(length)]
    // Node writes headers and text together as UTF-8. Headers are bytes.
    const isText = typeof content === 'string' && sent.every((text) => ASCII.test(text))
    return { content: isText ? content : asBytes(content), length, headers: sent }
  }

  #toResponse(): Response {
    this.#response ??= new Response(this.#content, { status: this.status, headers: this.#headers })
    return this.#response
  }

  get headers(): Headers {
    if (this.#response !== null) return this.#response.headers
    if (!(this.#headers instanceof Headers)) this.#headers = new Headers(this.#headers)
    return this.#headers
  }

  get ok(): boolean {
    return this.status < 300
  }

  get redirected(): boolean {
    return false
  }

  get statusText(): string {
    return ''
  }

  get type(): ResponseType {
    return 'default'
  }

  get url(): string {
    return ''
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#toResponse().body
  }

  get bodyUsed(): boolean {
    return this.#response?.bodyUsed ?? false
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#toResponse().arrayBuffer()
  }

  blob(): Promise<Blob> {
    return this.#toResponse().blob()
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer())
  }

  clone(): Response {
    return this.#toResponse().clone()
  }

  formData(): Promise<FormData> {
    return this.#toResponse().formData()
  }

  json(): Promise<unknown> {
    return this.#toResponse().json()
  }

  text(): Promise<string> {
    return this.#toResponse().text()
  }
}

// A program may check `instanceof Response`. A subclass would make the whole response in its constructor.
Object.setPrototypeOf(ContentResponse.prototype, Response.prototype)

function lengthOf(content: Content): number {
  if (typeof content === 'string') return Buffer.byteLength(content)
  return content instanceof Blob ? content.size : content.byteLength
}

function asBytes(content: Content): Exclude<Content, string> {
  return typeof content === 'string' ? Buffer.from(content) : content
}

const ASCII = /^[\t\x20-\x7e]*$/
