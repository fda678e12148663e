/** Thrown if a page cannot be shown, for a reason the administrator can understand. */
export class ConsoleError extends Error {
  override readonly name: string = 'ConsoleError'
  /** The answer's status. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Creates the error for a page whose subject does not exist. */
export function notFound(subject: string): ConsoleError {
  return new ConsoleError(404, `${subject} does not exist, or it was deleted.`)
}

/**
 * Returns an API answer with the expected status. Throws a ConsoleError for any other, which becomes a page: problems a
 * page explains itself must be handled before.
 */
export function expectStatus<
  Answer extends { readonly status: number; readonly body: unknown },
  Status extends Answer['status'],
>(answer: Answer, status: Status): Extract<Answer, { readonly status: Status }> {
  if (hasStatus(answer, status)) return answer
  throw new ConsoleError(answer.status, detailOf(answer.body))
}

function hasStatus<Answer extends { readonly status: number }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): answer is Extract<Answer, { readonly status: Status }> {
  return answer.status === status
}

/** Returns the explanation in a problem (RFC 9457 §3.1.4). */
export function detailOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return ''
  if ('detail' in body && typeof body.detail === 'string') return body.detail
  return 'title' in body && typeof body.title === 'string' ? `${body.title}.` : ''
}
