import { failure, type Result, success } from '@plumbline/result'

/** Detail error codes from RFC 7644 §3.12, Table 9, and RFC 9865 §2. */
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

/** Options for a `ScimError`, in addition to the status and the detail. */
export interface ScimErrorOptions {
  /** The detail error code from RFC 7644 Table 9 or RFC 9865 §2; none by default. */
  readonly scimType?: ErrorType | undefined
  /** The rejected attribute's path, such as `userName`; none by default. It is not sent to the client. */
  readonly attribute?: string | undefined
  /** This error's cause, for the log. It is never sent to the client. */
  readonly cause?: unknown
}

/**
 * The error for a rejected SCIM request. `errorResponse` writes it as an error document (RFC 7644 §3.12).
 *
 * @example
 * ```ts
 * import { ScimError } from '@plumbline/scim'
 *
 * const error = new ScimError(403, 'the client may not read users', { scimType: 'sensitive' })
 * error.scimType //=> 'sensitive'
 * ```
 * @see RFC 7644 §3.12
 */
export class ScimError extends Error {
  override readonly name: string = 'ScimError'
  /** The response's HTTP status code. */
  readonly status: number
  /** The detail error code from RFC 7644 Table 9 or RFC 9865 §2, or null if none applies. */
  readonly scimType: ErrorType | null
  /** The rejected attribute's path, or null if it is unknown or no attribute is rejected. */
  readonly attribute: string | null

  constructor(
    status: number,
    detail: string,
    { scimType, attribute, cause }: ScimErrorOptions = {},
  ) {
    super(detail, cause === undefined ? undefined : { cause })
    this.status = status
    this.scimType = scimType ?? null
    this.attribute = attribute ?? null
  }
}

/**
 * Creates the error for a unique value that another resource already uses: `409 uniqueness`.
 *
 * @param attribute The attribute's path, such as `userName`; null if it is not known.
 *
 * @example
 * ```ts
 * import { uniquenessError } from '@plumbline/scim'
 *
 * const error = uniquenessError('userName')
 * error.message //=> 'userName is already taken'
 * error.attribute //=> 'userName'
 * ```
 * @see RFC 7644 §3.3
 */
export function uniquenessError(
  attribute: string | null,
  { cause }: Pick<ScimErrorOptions, 'cause'> = {},
): ScimError {
  const detail = `${attribute ?? 'a value'} is already taken`
  const options = { scimType: 'uniqueness', attribute: attribute ?? undefined, cause } as const
  return new ScimError(409, detail, options)
}

/** Creates the error for an invalid request. */
export function badRequest(scimType: ErrorType, detail: string): ScimError {
  return new ScimError(400, detail, { scimType })
}

/** Creates the error for an invalid value at a path. */
export function invalidValue(place: string, why: string): ScimError {
  return badRequest('invalidValue', `${place} ${why}`)
}

/** Runs `read` and returns the result, or a thrown ScimError as a failure. Any other error is a bug and is rethrown. */
export function resultOf<Value>(read: () => Value): Result<Value, ScimError> {
  try {
    return success(read())
  } catch (error) {
    if (error instanceof ScimError) return failure(error)
    throw error
  }
}
