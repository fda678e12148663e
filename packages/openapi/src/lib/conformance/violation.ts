/** The kinds of violation. */
export type ViolationKind =
  | 'undocumented-operation'
  | 'undocumented-status'
  | 'undocumented-media-type'
  | 'undocumented-problem-type'
  | 'missing-header'
  | 'body-mismatch'

/** One violation of the document by an exchange. */
export interface Violation {
  /** The kind of violation. */
  readonly kind: ViolationKind
  /** The operation of the exchange; null if the request did not match one. */
  readonly operationId: string | null
  /** The difference from the document. */
  readonly message: string
  /** For a body mismatch, the JSON Pointer (RFC 6901) of the value in the body. */
  readonly pointer?: string
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

function sentence({ kind, operationId, message, pointer }: Violation): string {
  const at = pointer ? ` at ${pointer}` : ''
  return `${operationId ?? 'no operation'}: ${kind}${at}: ${message}`
}
