import { plainIssues, type ReportedIssue } from './plain-issues.ts'
import { pointerOf } from './pointer.ts'

/** The part of a request an issue concerns. */
export type IssueLocation = 'params' | 'query' | 'headers' | 'cookies' | 'body'

/** One thing to fix in a request. */
export interface Issue {
  /** The part of the request the issue concerns. */
  readonly location: IssueLocation
  /** A JSON Pointer into that part of the request; empty for the whole part. */
  readonly pointer: string
  /** The reason why the value is not valid. */
  readonly detail: string
}

/** A validation issue of Standard Schema, with or without the part of the request it concerns. */
export interface InputIssue extends ReportedIssue {
  /** The part of the request the issue concerns. */
  readonly location?: IssueLocation
}

/** An `OperationInputError`, or an object of its shape. */
export interface InputError {
  /** The part of the request for issues that do not name one. */
  readonly location: IssueLocation
  /** The validation issues of that part. */
  readonly issues: readonly InputIssue[]
}

/** Options of `issuesFrom`. */
export interface IssuesOptions {
  /** How many issues the list may hold; 100 by default. */
  readonly limit?: number | undefined
  /** The part of the request for issues that do not name one; `body` by default. */
  readonly location?: IssueLocation | undefined
}

/**
 * Converts the issues of a rejected request to the list that `ISSUES_SCHEMA` describes, each with a JSON
 * Pointer (RFC 6901).
 *
 * Accepts an `OperationInputError` or its `issues`. The list is bounded, so a small request cannot
 * cause a large response: it holds the first 100 issues by default. A `detail` longer than 250 characters
 * is cut. A `pointer` that would be longer is the pointer of the closest parent that fits.
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
    pointer: pointerOf(path, MOST_CHARACTERS),
    detail: shorten(message),
  }))
}

function shorten(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text
}

/** The longest pointer and detail of an issue, in characters. */
const MOST_CHARACTERS = 250
