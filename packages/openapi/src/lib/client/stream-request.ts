import type { OperationSpec } from '../spec/operation-spec.ts'
import type { ClientInit } from './input-types.ts'
import type { ReadAnswer } from './read-answer.ts'
import type { StreamInit } from './stream-init.ts'

/** A request for a stream. */
export interface StreamCall extends ClientInit, StreamInit {
  /** The operation's spec, with the event schemas; null for a client created from a manifest. */
  readonly spec: OperationSpec | null
}

/** Sends a request with these options. */
export type SendRequest = (init: ClientInit) => Promise<ReadAnswer>
