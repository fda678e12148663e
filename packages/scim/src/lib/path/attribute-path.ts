/** An attribute's name as a client wrote it. Letter case is not significant (RFC 7644 §3.10). */
export interface AttributePath {
  /** The schema URN qualifying the name, without the last colon. */
  readonly schema: string | null
  /** The attribute's name. */
  readonly attribute: string
  /** The name after the dot; null without one. */
  readonly subAttribute: string | null
}
