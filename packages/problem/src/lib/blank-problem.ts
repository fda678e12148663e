import { MEDIA_TYPE_PROBLEM } from './media-type.ts'

/** The members and headers for a problem without its own type. */
export interface BlankProblemOptions {
  /** Explains this occurrence to people. */
  readonly detail?: string | undefined
  /** Response headers; `Content-Type` cannot be changed. */
  readonly headers?: HeadersInit | undefined
  /** Extension members, such as an issue list (RFC 9457 §3.2). */
  readonly extensions?: object | undefined
}

/**
 * Creates an `about:blank` problem response: only the status describes the problem.
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
