/** One thing to mend before a document can be built. */
export interface BuildFault {
  /** The operation that it is about; null where it is about the document. */
  readonly operationId: string | null
  /** Where it stands in the document that would have been built, as a JSON Pointer (RFC 6901). */
  readonly pointer: string
  /** What is wrong, and what to change. */
  readonly message: string
}

/** Why a document was not built: the first thing to mend, and under `errors` all of them. */
export class OpenAPIBuildError extends Error {
  override readonly name: string = 'OpenAPIBuildError'
  readonly operationId: string | null
  readonly pointer: string
  /** Everything there is to mend, this one first. */
  readonly errors: readonly BuildFault[]

  constructor({ operationId, pointer, message }: BuildFault, errors: readonly BuildFault[]) {
    const where = operationId === null ? 'the document' : operationId
    super(`${where}, at ${pointer || 'its root'}: ${message}`)
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

/** Takes note of a fault; building goes on, so that one run shows them all. */
export type Report = (place: Place, message: string) => void
