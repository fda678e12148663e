/** A body was to be read, but other code in the program has read it. This is never the client's fault. */
export class BodyReadError extends TypeError {
  constructor(cause?: unknown) {
    super(
      'the body of the request was already read: mount the API before body parsers such as express.json()',
      { cause },
    )
  }
}

/** A request whose body is read. */
export interface BodyOwner extends Pick<Request, 'method' | 'body' | 'bodyUsed' | 'signal'> {
  readonly headers: Pick<Headers, 'get'>
  /** Whether node:http has given the body to a reader, who may not be this request. */
  readonly isGiven?: boolean
}

/** Throws a BodyReadError for a body without bytes, if it had some (RFC 9112 §6.3). */
export function checkArrived(request: BodyOwner, length: number): void {
  // Fetch §5.4: a `Request` does not have a body with these methods, whatever the client sends.
  if (length > 0 || request.method === 'GET' || request.method === 'HEAD') return
  const isLost = Number(request.headers.get('Content-Length')) > 0 || request.isGiven === true
  if (isLost) throw new BodyReadError()
}

/** Throws a BodyReadError if a body cannot be read because other code reads it, or has read it. */
export function checkUnread(request: BodyOwner, error: unknown): void {
  if (error instanceof BodyReadError) throw error
  // Runtimes and adapters show it only in the message.
  const isUnusable =
    error instanceof TypeError && /unusable|already|locked|disturbed/i.test(error.message)
  if (isUnusable && !request.signal.aborted) throw new BodyReadError(error)
}
