/** The reason why a server could not be examined. */
export type ExaminationCode =
  /** A request did not reach the server, or the connection broke. */
  | 'unreachable'
  /** The server did not answer in time. */
  | 'timeout'
  /** The server rejected the credentials. */
  | 'unauthorized'
  /** The server redirected a request to another origin. */
  | 'redirected'
  /** A response was larger than the limit. */
  | 'too-large'
  /** The server asked too often to wait. */
  | 'busy'
  /** The server, or a gateway before it, answered 502, 503 or 504. */
  | 'unavailable'
  /** The URL does not belong to a SCIM server. */
  | 'not-scim'
  /** The options contradict each other, or the URL is not valid. */
  | 'invalid-options'
  /** The server does not store more resources. */
  | 'full'
  /** The server has resources, and `confirm` did not allow the examination to write. */
  | 'not-confirmed'
  /** The signal interrupted the examination. */
  | 'interrupted'

/**
 * The reason why `examine` could not examine a server. `code` is stable, the message is for people.
 *
 * @example
 * ```ts
 * import { ExaminationError } from '@plumbline/doctor'
 *
 * const error = new ExaminationError('timeout', 'GET /Users: no response within 10 s')
 * error.code //=> 'timeout'
 * ```
 */
export class ExaminationError extends Error {
  override readonly name = 'ExaminationError'
  /** The reason's stable code. */
  readonly code: ExaminationCode
  /** The URLs of the resources the examination created and could not delete. */
  readonly left: readonly string[]

  constructor(
    code: ExaminationCode,
    message: string,
    { cause, left = [] }: { cause?: unknown; left?: readonly string[] } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.left = left
  }
}
