/** How an answer's stream is read. */
export interface StreamInit {
  /**
   * Whether each event is checked with the schema; defaults to false. A client created from a manifest does not have
   * schemas, so the call rejects with a TypeError.
   */
  readonly check?: boolean
  /**
   * Reconnects with the last event ID: `on-failure` if the connection breaks, `always` also if the server ends the
   * stream. Never by default. A 204 ends the loop, also without being declared. The first connection is not repeated.
   * Lines of JSON do not have IDs, so another connection starts from the first line.
   *
   * It waits for the server's `retry`, 1,000 ms by default, and twice as long after each failure: at least 100 ms, and
   * at most 30,000 ms or the `retry`. After 429, 502, 503 and 504 it waits at least for their `Retry-After`. The loop
   * rejects with the last error after 20 failures in a row without a byte, and immediately for errors that are not
   * network errors.
   *
   * @see WHATWG HTML §9.2.3
   */
  readonly reconnect?: 'on-failure' | 'always'
}
