/** Why a response does not match the operation's declaration. Codes are stable; messages may change. */
export type ResponseErrorCode =
  | 'undeclared-status'
  | 'undeclared-media-type'
  | 'undeclared-problem'
  | 'malformed'
  | 'incomplete'
  | 'too-long'
  | 'event-mismatch'
  | 'not-a-stream'

/** A response the operation does not declare, such as a proxy's error page. */
export class ResponseError extends Error {
  override readonly name: string = 'ResponseError'
  /** The reason. */
  readonly code: ResponseErrorCode
  /** The response. Its body was read only if the code is `undeclared-problem` or `malformed`. */
  readonly response: Response

  constructor(
    code: ResponseErrorCode,
    message: string,
    response: Response,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.response = response
  }
}
