import { plainIssues, type ReportedIssue } from './plain-issues.ts'
import { pointerOf } from './pointer.ts'

/** The request part an issue concerns. */
export type IssueLocation = 'params' | 'query' | 'headers' | 'cookies' | 'body'

/** A single problem to fix in a request. */
export interface Issue {
  /** The request part the issue concerns. */
  readonly location: IssueLocation
  /** A JSON Pointer into that part; empty for the whole part. */
  readonly pointer: string
  /** Why the value is not valid. */
  readonly detail: string
}

/** A Standard Schema validation issue, with or without the request part it concerns. */
export interface InputIssue extends ReportedIssue {
  /** The request part the issue concerns. */
  readonly location?: IssueLocation
}

/** An `OperationInputError`, or an object with the same shape. */
export interface InputError {
  /** The request part for issues that do not name one. */
  readonly location: IssueLocation
  /** The validation issues for that part. */
  readonly issues: readonly InputIssue[]
}

/** Options for `issuesFrom`. */
export interface IssuesOptions {
  /** The maximum number of issues in the list; 100 by default. */
  readonly limit?: number | undefined
  /** The request part for issues that do not name one; `body` by default. */
  readonly location?: IssueLocation | undefined
}

/**
 * Converts a rejected request's issues to the list `ISSUES_SCHEMA` describes, each with a JSON Pointer (RFC 6901).
 *
 * Accepts an `OperationInputError` or its `issues`. The list is bounded, so a small request cannot cause a large
 * response: it holds the first 100 issues by default. A `detail` longer than 250 characters is cut. A longer `pointer`
 * is replaced with the pointer to the closest parent that fits.
 *
 * @example
 * ```ts
 * import { issuesFrom } from '@plumbline/problem'
 *
 * const issues = [{ message: 'Too small', path: ['page'] }, { message: 'Unknown key' }]
 * issuesFrom({ location: 'query', issues }, { limit: 1 }) //=> [
 * //     { location: 'query', pointer: '/page', detail: 'Too small' },
 * //   ]
 * issuesFrom(issues, { location: 'query' }).length //=> 2
 * ```
 * @see RFC 9457 §3
 */
export function issuesFrom(
  error: InputError | readonly InputIssue[],
  { limit = 100, location }: IssuesOptions = {},
): Issue[] {
  const issues = 'issues' in error ? error.issues : error
  const fallback = ('issues' in error ? error.location : location) ?? 'body'
  const first = Array.from(issues).slice(0, limit)
  return plainIssues(first).map(({ message, path }, at) => ({
    location: first[at]?.location ?? fallback,
    pointer: pointerOf(path, MAX_CHARACTERS),
    detail: shorten(message),
  }))
}

function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text
}

/** The maximum length of an issue's pointer and detail, in characters. */
const MAX_CHARACTERS = 250
