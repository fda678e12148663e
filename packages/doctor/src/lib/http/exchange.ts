import type { JsonObject } from '../json.ts'

/** The HTTP methods of SCIM. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request and its response, as a report shows them. `***` replaces credentials. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The first 16,384 characters of the request body; null without one. */
  readonly requestBody: string | null
  /** The response's status; null without a response. */
  readonly status: number | null
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The first 16,384 characters of the response body; null without a response. */
  readonly responseBody: string | null
  /** The reason why a response is missing; null with a response. */
  readonly fault: string | null
  /** The time (ms) until the body was received. */
  readonly duration: number
}

/** A response to a check's request. */
export interface Received {
  /** The request, for messages, such as `GET /Users/1`. */
  readonly request: string
  /** The URL that answered: after a redirect, it differs from the requested one. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  /** The body as text. */
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown
  /** The parsed body if it is a JSON object; otherwise an empty object. */
  readonly body: JsonObject
}

/** The options for one request. */
export interface SendOptions {
  /** Headers to add or replace. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The Authorization header, or a function to change the examination's own; null sends none. The own one by default.
   */
  readonly authorization?: string | ((own: string) => string) | null | undefined
  /** Whether to send the request without a pause, so racing requests are on their way at the same time. */
  readonly isUrgent?: boolean | undefined
  /** Whether the request is sent as it is: not again with If-Match after 428, and without a look at a new resource. */
  readonly isPlain?: boolean | undefined
  /** The query parameters, encoded. */
  readonly query?: Readonly<Record<string, string | number>> | undefined
}
