import { isJsonObject } from '../json/object.ts'
import type { Incoming } from './incoming.ts'

/**
 * Returns the request as the libraries read it, from the second argument of adapters such as @hono/node-server. It
 * shows whether node:http has given the body to a reader. Some hosts keep the bytes for the adapter.
 */
export function incomingOf(request: Request, adapter: unknown): Incoming {
  const incoming = isJsonObject(adapter) ? adapter.incoming : undefined
  const isGiven =
    isJsonObject(incoming) && incoming.readableDidRead === true && !('rawBody' in incoming)
  return isGiven ? new GivenRequest(request) : request
}

/** A `Request` whose body node:http has given to a reader. */
class GivenRequest implements Incoming {
  readonly isGiven = true
  readonly #request: Request

  constructor(request: Request) {
    this.#request = request
  }

  get method(): string {
    return this.#request.method
  }

  get url(): string {
    return this.#request.url
  }

  get headers(): Headers {
    return this.#request.headers
  }

  get body(): Incoming['body'] {
    return this.#request.body
  }

  get bodyUsed(): boolean {
    return this.#request.bodyUsed
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#request.arrayBuffer()
  }

  toRequest(): Request {
    return this.#request
  }
}
