/** The name of an attribute as a client wrote it, in its letter case, which is not significant (RFC 7644 §3.10). */
export interface AttributePath {
  /** The schema URN that qualifies the name, without the last colon. */
  readonly schema: string | null
  /** The attribute's name. */
  readonly attribute: string
  /** The name after the dot; null without one. */
  readonly subAttribute: string | null
}
