/** The name of an attribute as a client wrote it. Letter case is kept, but it is not significant. */
export interface AttributePath {
  /** The schema URN that qualifies the name, without the last colon. */
  readonly schema: string | null
  readonly attribute: string
  readonly subAttribute: string | null
}
