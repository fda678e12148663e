/** One thing to fix before a document can be built. */
export interface BuildFault {
  /** The operation that it is about; null where it is about the document. */
  readonly operationId: string | null
  /** Where it stands in the document that would have been built, as a JSON Pointer (RFC 6901). */
  readonly pointer: string
  /** What is wrong, and what to change. */
  readonly message: string
  /** The error that the schema library threw, if it threw one. */
  readonly cause?: unknown
}

/**
 * Why a document was not built: the first thing to fix, and under `errors` all of them. Its `cause` is the
 * error of the schema library, if the first fault has one.
 */
export class OpenAPIBuildError extends Error {
  override readonly name: string = 'OpenAPIBuildError'
  readonly operationId: string | null
  readonly pointer: string
  /** Everything there is to fix, this one first. */
  readonly errors: readonly BuildFault[]

  constructor(fault: BuildFault, errors: readonly BuildFault[]) {
    const { operationId, pointer, message, cause } = fault
    const where = operationId === null ? 'the document' : operationId
    super(
      `${where}, at ${pointer || 'its root'}: ${message}`,
      cause === undefined ? undefined : { cause },
    )
    this.operationId = operationId
    this.pointer = pointer
    this.errors = errors
  }
}

/** Where something of an operation or of the document stands. */
export interface Place {
  readonly operationId: string | null
  readonly pointer: string
}

/** Records a fault. Building continues, so that one run shows all of them. */
export type Report = (place: Place, message: string, cause?: unknown) => void
