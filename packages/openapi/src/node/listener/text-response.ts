import type { OutgoingHttpHeaders } from 'node:http'
import type { TextInit } from '../../lib/incoming.ts'

/**
 * A response with text that Node can send without a `Response`. One is made if a program reads more than the status and
 * the headers.
 */
export class TextResponse implements Response {
  readonly status: number
  readonly #text: string
  #headers: TextInit['headers']
  #response: Response | null = null

  constructor(text: string, { status, headers }: TextInit) {
    this.status = status
    this.#text = text
    this.#headers = headers
  }

  /** The text with its headers; null if a program has made the `Response`. */
  toSend(): { readonly text: string; readonly headers: OutgoingHttpHeaders | string[] } | null {
    if (this.#response !== null) return null
    const text = this.#text
    const headers = this.#headers
    const length = Buffer.byteLength(text)
    if (!(headers instanceof Headers)) {
      return {
        text,
        headers: { 'Content-Type': headers['Content-Type'], 'Content-Length': length },
      }
    }
    headers.set('Content-Length', String(length))
    return { text, headers: [...headers].flat() }
  }

  #toResponse(): Response {
    this.#response ??= new Response(this.#text, { status: this.status, headers: this.#headers })
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
Object.setPrototypeOf(TextResponse.prototype, Response.prototype)
