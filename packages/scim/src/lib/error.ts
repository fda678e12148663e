import { failure, type Result, success } from '@plumbline/result'

/** The detail codes of RFC 7644 §3.12, Table 9, and of RFC 9865 §2. */
export type ErrorType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount'

/** The options of a `ScimError`, in addition to its status and detail. */
export interface ScimErrorOptions {
  /** The detail code of RFC 7644 Table 9 or RFC 9865 §2; none by default. */
  readonly scimType?: ErrorType | undefined
  /** The cause of this error, for the log. It is never sent to the client. */
  readonly cause?: unknown
}

/**
 * The reason why a SCIM request is rejected. `errorResponse` writes it as the error document of RFC 7644 §3.12.
 *
 * @example
 * ```ts
 * import { ScimError } from '@plumbline/scim'
 *
 * const taken = new ScimError(409, 'userName is taken', { scimType: 'uniqueness' })
 * taken.scimType //=> 'uniqueness'
 * ```
 * @see RFC 7644 §3.12
 */
export class ScimError extends Error {
  override readonly name: string = 'ScimError'
  /** The HTTP status code of the response. */
  readonly status: number
  /** The detail code of RFC 7644 Table 9 or RFC 9865 §2, or null if no code applies. */
  readonly scimType: ErrorType | null

  constructor(status: number, detail: string, { scimType, cause }: ScimErrorOptions = {}) {
    super(detail, cause === undefined ? undefined : { cause })
    this.status = status
    this.scimType = scimType ?? null
  }
}

/** The error for a request that is not valid. */
export function badRequest(scimType: ErrorType, detail: string): ScimError {
  return new ScimError(400, detail, { scimType })
}

/** The error for a value that is not valid, named by its path. */
export function invalidValue(place: string, why: string): ScimError {
  return badRequest('invalidValue', `${place} ${why}`)
}

/** The result of `read`, or the ScimError that it throws as a failure. Any other error is a bug and is rethrown. */
export function resultOf<Value>(read: () => Value): Result<Value, ScimError> {
  try {
    return success(read())
  } catch (error) {
    if (error instanceof ScimError) return failure(error)
    throw error
  }
}
