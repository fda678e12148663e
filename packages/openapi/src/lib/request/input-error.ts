import { plainIssues } from '@plumbline/problem/core'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/** The rejected part of a request. */
export type InputLocation = 'params' | 'query' | 'headers' | 'cookies' | 'body'

/**
 * Why a request was rejected. `invalid`: a schema rejected the part, a form field is not the required JSON, or the
 * query is not UTF-8. `malformed`: the body could not be read. `unsupported-media-type`: the operation does not declare
 * such a body, or the runtime does not know the charset. The matching responses are 422, 400 and 415.
 */
export type InputErrorCode = 'invalid' | 'malformed' | 'unsupported-media-type'

/** A Standard Schema issue with the location it concerns. */
export interface InputIssue extends StandardSchemaV1.Issue {
  /** The request part with the issue. */
  readonly location: InputLocation
}

/**
 * Why `operation.parse` rejected a request. `issuesFrom` from `@plumbline/problem` accepts it.
 *
 * The message quotes the first three issues with their paths, each cut after 250 characters, and counts the rest. If
 * the schema threw instead of returning issues, `cause` is the thrown value.
 */
export class OperationInputError extends Error {
  override readonly name: string = 'OperationInputError'
  /** The rejected part of the request. */
  readonly location: InputLocation
  /** Why it was rejected. */
  readonly code: InputErrorCode
  /** All issues the schema reported for this location. */
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

/** Creates a part's rejection with one issue. */
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
