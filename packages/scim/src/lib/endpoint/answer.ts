/** A response before it is written. Bulk requests and HEAD read only the status and the headers. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON, a RawJson, JSON pieces to send one after the other, or null. */
  readonly body: object | null
}

/** An answer without a body (RFC 7644 §3.5.2, §3.6). */
export const NO_CONTENT: Answer = { status: 204, headers: {}, body: null }

/** A representation's headers: its entity tag, if it has one, and its location. */
export function headersOf(
  location: string,
  version: string | null,
): Readonly<Record<string, string>> {
  return version === null ? { Location: location } : { ETag: version, Location: location }
}
