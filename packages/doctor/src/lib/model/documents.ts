import type { Received } from '../http/exchange.ts'

/** The responses of the discovery endpoints (RFC 7644 §4). */
export interface Documents {
  readonly config: Received
  readonly resourceTypes: Received
  readonly schemas: Received
}
