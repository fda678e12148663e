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
  /** The path of the attribute whose value is rejected, such as `userName`; none by default. It is not sent to the client. */
  readonly attribute?: string | undefined
  /** This error's cause, for the log. It is never sent to the client. */
  readonly cause?: unknown
}

/**
 * The reason why a SCIM request is rejected. `errorResponse` writes it as the error document of RFC 7644 §3.12.
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
  /** The HTTP status code of the response. */
  readonly status: number
  /** The detail code of RFC 7644 Table 9 or RFC 9865 §2, or null if no code applies. */
  readonly scimType: ErrorType | null
  /** The path of the attribute whose value is rejected, or null if it is not known or no attribute is rejected. */
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
 * Returns the error for a unique value that another resource has: `409 uniqueness`.
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

/** The error for a request that is not valid. */
export function badRequest(scimType: ErrorType, detail: string): ScimError {
  return new ScimError(400, detail, { scimType })
}

/** The error for a value that is not valid, named by its path. */
export function invalidValue(place: string, why: string): ScimError {
  return badRequest('invalidValue', `${place} ${why}`)
}

/** The result of `read`, or the ScimError it throws as a failure. Any other error is a bug and is rethrown. */
export function resultOf<Value>(read: () => Value): Result<Value, ScimError> {
  try {
    return success(read())
  } catch (error) {
    if (error instanceof ScimError) return failure(error)
    throw error
  }
}
