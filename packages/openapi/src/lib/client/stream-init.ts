/** How the stream of an answer is read. */
export interface StreamInit {
  /**
   * Whether each event is checked by its schema; false by default. A client of a manifest does not have schemas, so that
   * the call rejects with a TypeError.
   */
  readonly check?: boolean
  /**
   * Connects again with the ID of the last event: `on-failure` if the connection breaks, `always` also if the server
   * ends the stream, until it answers 204. Never by default. The first connection is not repeated.
   */
  readonly reconnect?: 'on-failure' | 'always'
}
