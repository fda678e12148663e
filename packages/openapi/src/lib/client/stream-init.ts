/** How an answer's stream is read. */
export interface StreamInit {
  /**
   * Whether each event is checked by its schema; false by default. A client created from a manifest does not have
   * schemas, so the call rejects with a TypeError.
   */
  readonly check?: boolean
  /**
   * Reconnects with the last event ID: `on-failure` if the connection breaks, `always` also if the server ends the
   * stream, until it answers 204. Never by default. The first connection is not repeated.
   */
  readonly reconnect?: 'on-failure' | 'always'
}
