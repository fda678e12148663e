/** The ways in which an exchange can depart from the document. */
export type ViolationKind =
  | 'undocumented-operation'
  | 'undocumented-status'
  | 'undocumented-media-type'
  | 'undocumented-problem-type'
  | 'missing-header'
  | 'body-mismatch'

/** One departure of an exchange from the document. */
export interface Violation {
  readonly kind: ViolationKind
  /** Null when the request matched no operation. */
  readonly operationId: string | null
  readonly message: string
  /** Of a body mismatch: what does not match, as a JSON Pointer into the body (RFC 6901). */
  readonly pointer?: string
}

/** An exchange that departs from the document; `violations` holds every departure. */
export class ConformanceError extends Error {
  override readonly name: string = 'ConformanceError'
  readonly violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super(violations.map(sentence).join('\n'))
    this.violations = violations
  }
}

function sentence({ kind, operationId, message, pointer }: Violation): string {
  const at = pointer ? ` at ${pointer}` : ''
  return `${operationId ?? 'no operation'}: ${kind}${at}: ${message}`
}
