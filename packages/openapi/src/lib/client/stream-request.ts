import type { OperationSpec } from '../spec/operation-spec.ts'
import type { ClientInit } from './input-types.ts'
import type { ReadAnswer } from './read-answer.ts'
import type { StreamInit } from './stream-init.ts'

/** A request for a stream. */
export interface StreamCall extends ClientInit, StreamInit {
  /** The spec of the operation, which has the schemas of the events; null for a client of a manifest. */
  readonly spec: OperationSpec | null
}

/** Sends a request with these options. */
export type SendRequest = (init: ClientInit) => Promise<ReadAnswer>
