import type { OperationSpec } from '../spec/operation-spec.ts'
import type { ClientInit } from './input-types.ts'
import type { OperationFacts } from './manifest.ts'
import type { ReadAnswer } from './read-answer.ts'
import type { StreamInit } from './stream-init.ts'

/** A request for a stream. */
export interface StreamCall extends ClientInit, StreamInit {
  /** The operation's spec, with the event schemas; null for a client created from a manifest. */
  readonly spec: OperationSpec | null
}

/** Sends a request, as the option `fetch` of a client does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends a request with these options, through `fetch`. */
export type SendRequest = (
  init: ClientInit,
  fetch: Fetch,
  /** The wanted media types, unless the caller chooses others. */
  accept: readonly string[],
) => Promise<ReadAnswer>

/** An operation with streams, and how requests are sent. */
export interface StreamOperation {
  readonly facts: OperationFacts
  readonly send: SendRequest
  readonly fetch: Fetch
}
