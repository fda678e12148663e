import { MEDIA_TYPE_PROBLEM } from './media-type.ts'

/** The members and headers for a problem without its own type. */
export interface BlankProblemOptions {
  /** An explanation of this occurrence for people. */
  readonly detail?: string | undefined
  /** Headers of the response; `Content-Type` cannot be changed. */
  readonly headers?: HeadersInit | undefined
  /** Extension members, such as a list of issues (RFC 9457 §3.2). */
  readonly extensions?: object | undefined
}

/**
 * Returns the response of a problem whose type is `about:blank`: only the status describes the problem.
 *
 * @example
 * ```ts
 * import { blankProblem } from '@plumbline/problem/core'
 *
 * await blankProblem(404, 'Not found').json() //=> {
 * //     type: 'about:blank',
 * //     title: 'Not found',
 * //     status: 404,
 * //   }
 * ```
 * @see RFC 9457 §4.2.1
 */
export function blankProblem(
  status: number,
  title: string,
  { detail, headers, extensions }: BlankProblemOptions = {},
): Response {
  const sent = new Headers(headers)
  sent.set('Content-Type', MEDIA_TYPE_PROBLEM)
  // JSON.stringify omits an undefined detail.
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, ...extensions })
  return new Response(body, { status, headers: sent })
}
