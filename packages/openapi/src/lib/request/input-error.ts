import { plainIssues } from '@plumbline/problem/core'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/** The part of a request that was rejected. */
export type InputLocation = 'params' | 'query' | 'headers' | 'cookies' | 'body'

/**
 * The reason: `invalid` if a schema rejected the part, a field of a form is not the required JSON or the query
 * is not UTF-8, `malformed` if the body could not be read, and `unsupported-media-type` if the operation does not
 * declare such a body or the runtime does not know its charset. The matching responses are 422, 400 and 415.
 */
export type InputErrorCode = 'invalid' | 'malformed' | 'unsupported-media-type'

/** A Standard Schema issue with the location of the part it concerns. */
export interface InputIssue extends StandardSchemaV1.Issue {
  /** The part of the request the issue concerns. */
  readonly location: InputLocation
}

/**
 * The reason why `operation.parse` rejected a request. `issuesFrom` of `@plumbline/problem` accepts it.
 *
 * The message quotes the first three issues with their paths, each cut after 250 characters, and counts the rest. If the
 * schema threw instead of returning issues, `cause` is the thrown value.
 */
export class OperationInputError extends Error {
  override readonly name: string = 'OperationInputError'
  /** The part of the request that was rejected. */
  readonly location: InputLocation
  /** The reason of the rejection. */
  readonly code: InputErrorCode
  /** All issues the schema reported for that location. */
  readonly issues: readonly InputIssue[]

  constructor(
    location: InputLocation,
    issues: readonly StandardSchemaV1.Issue[],
    code: InputErrorCode = 'invalid',
    options?: ErrorOptions,
  ) {
    const plain = plainIssues(issues).map((issue) => ({ ...issue, location }))
    super(`${location}: ${summarize(plain)}`, options)
    this.location = location
    this.code = code
    this.issues = plain
  }
}

/** Makes the rejection of a part with one issue. */
export function inputError(
  location: InputLocation,
  message: string,
  code: InputErrorCode,
  path: readonly string[] = [],
): OperationInputError {
  return new OperationInputError(location, [{ message, path }], code)
}

function summarize(issues: readonly StandardSchemaV1.Issue[]): string {
  const first = issues.slice(0, QUOTED_ISSUES).map(quote)
  const more = issues.length - first.length
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function quote({ message, path = [] }: StandardSchemaV1.Issue): string {
  const steps = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return shorten(steps.length === 0 ? message : `${steps.join('.')}: ${message}`)
}

function shorten(text: string): string {
  return text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS - 1)}…` : text
}

const QUOTED_ISSUES = 3
const QUOTED_CHARACTERS = 250
