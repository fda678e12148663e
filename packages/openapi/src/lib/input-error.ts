import type { StandardSchemaV1 } from '@standard-schema/spec'

/** The part of a request that was refused. */
export type InputLocation = 'params' | 'query' | 'headers' | 'cookies' | 'body'

/**
 * Why: `invalid` when a schema refused it or a field of a form is no JSON and has to be, `malformed`
 * when it could not be read, and `unsupported-media-type` when the operation declares no such body.
 * Answer them 422, 400 and 415.
 */
export type InputErrorCode = 'invalid' | 'malformed' | 'unsupported-media-type'

/** Why `operation.parse` refused a request; `issuesFrom` of `@plumbline/problem` reads it. */
export class OperationInputError extends Error {
  override readonly name: string = 'OperationInputError'
  readonly location: InputLocation
  readonly code: InputErrorCode
  /** Everything that is wrong at that location, as the schema told it. */
  readonly issues: readonly StandardSchemaV1.Issue[]

  constructor(
    location: InputLocation,
    issues: readonly StandardSchemaV1.Issue[],
    code: InputErrorCode = 'invalid',
  ) {
    super(`${location}: ${issues.map(({ message }) => message).join('; ')}`)
    this.location = location
    this.code = code
    this.issues = issues
  }
}
