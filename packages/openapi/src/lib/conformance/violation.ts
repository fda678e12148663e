/** The kinds of violation. */
export type ViolationKind =
  | 'undocumented-operation'
  | 'undocumented-status'
  | 'undocumented-media-type'
  | 'undocumented-problem-type'
  | 'missing-header'
  | 'body-mismatch'
  | 'event-mismatch'

/** One violation of the document by an exchange. */
export interface Violation {
  /** The kind of violation. */
  readonly kind: ViolationKind
  /** The operation of the exchange; null if the request did not match one. */
  readonly operationId: string | null
  /** The difference from the document. */
  readonly message: string
  /** For a mismatch, the JSON Pointer (RFC 6901) of the value in the body, or in the data of the event. */
  readonly pointer?: string
  /** For an event mismatch, the number of the event or line in its stream, from 1. */
  readonly event?: number
}

/** An exchange does not conform to the document; `violations` lists all violations. */
export class ConformanceError extends Error {
  override readonly name: string = 'ConformanceError'
  /** All violations of the exchange. */
  readonly violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super(violations.map(sentence).join('\n'))
    this.violations = violations
  }
}

function sentence({ kind, operationId, message, pointer, event }: Violation): string {
  const places = [event === undefined ? '' : `event ${event}`, pointer ?? ''].filter(Boolean)
  const at = places.length > 0 ? ` at ${places.join(', ')}` : ''
  return `${operationId ?? 'no operation'}: ${kind}${at}: ${message}`
}
