import { notify } from '@plumbline/base'
import { ScimError } from '../error.ts'
import { writeErrorDocument } from '../message/responses.ts'
import type { Answer } from './core/exchange.ts'

/** The error for a method a path does not support (RFC 9110 §15.5.6). */
export class MethodError extends ScimError {
  /** The path's methods, as the Allow header lists them. */
  readonly allow: string

  constructor(allow: string) {
    super(405, `this endpoint supports only ${allow}`)
    this.allow = allow
  }
}

/**
 * The error for a path without an endpoint. Usually the base URL is wrong at the provider, so the message says which
 * paths exist.
 */
export function endpointNotFound(
  [type]: readonly { readonly endpoint: string }[],
  path: string,
  basePath: string,
): ScimError {
  const isOutside = basePath !== '' && !`${path}/`.startsWith(`${basePath}/`)
  const expected = isOutside ? `below ${basePath}` : `such as ${basePath}${type?.endpoint ?? ''}`
  const sent = path.slice(0, MAX_PATH_LENGTH)
  return new ScimError(404, `no endpoint at ${sent}: this server expects paths ${expected}`)
}

/** The answer to a thrown value, and its error; null if the client has closed the connection. */
export interface FailedAnswer extends Answer {
  readonly error: ScimError | null
}

/** Turns thrown values into answers. */
export interface Failures<Context> {
  /** Returns the answer to a thrown value. For an internal error it is a `500` without details. It never throws. */
  answer(error: unknown, request: Request, context: Context | null): FailedAnswer
  /** The answer to an internal error. */
  readonly internal: FailedAnswer
  /** Passes an error to `onError`. It never throws. */
  report(error: unknown, request: Request, context: Context | null): void
}

/** The endpoint options for error handling. */
export interface FailureOptions<Context> {
  /** Receives each error behind a `5xx` but `501`, also of a bulk operation; `console.error` by default. */
  readonly onError?:
    | ((
        error: unknown,
        failed: { readonly request: Request; readonly context: Context | null },
      ) => void)
    | undefined
  /** Translates a store's error; null for an internal error. */
  readonly toScimError?: ((error: unknown) => ScimError | null) | undefined
  /** The `WWW-Authenticate` value in a `401`. */
  readonly challenge: string
}

/** Creates an endpoint's failures. */
export function createFailures<Context>({
  onError = (error) => console.error(error),
  toScimError,
  challenge,
}: FailureOptions<Context>): Failures<Context> {
  const report = (error: unknown, request: Request, context: Context | null): void => {
    notify('onError', () => onError(error, { request, context }), ['The reported error:', error])
  }
  const translate = (error: unknown): ScimError => {
    try {
      if (error instanceof ScimError) return isAnswerable(error) ? error : INTERNAL
    } catch {
      // A thrown value may be a throwing proxy.
      return INTERNAL
    }
    let translated = INTERNAL
    notify('toScimError', () => {
      const answer: unknown = toScimError?.(error)
      if (isAnswerable(answer)) translated = answer
      return answer instanceof Promise ? answer : null
    })
    return translated
  }
  return {
    internal: errorAnswer(INTERNAL, challenge),
    report,
    answer: (error, request, context) => {
      const answer = translate(error)
      const isIncident = answer.status >= 500 && answer.status !== NOT_IMPLEMENTED
      if (isIncident && !isAbort(error, request)) report(error, request, context)
      // The client has closed the connection: the response is not read.
      if (isAborted(request)) return { status: HUNG_UP, headers: {}, body: null, error: null }
      return errorAnswer(answer, challenge)
    },
  }
}

/** Whether the client has closed the connection. Some runtimes and mocks make requests without a signal. */
function isAborted({ signal }: { readonly signal?: AbortSignal }): boolean {
  return signal?.aborted === true
}

/** Whether an error only reports that the client closed the connection. */
function isAbort(error: unknown, request: Request): boolean {
  if (!isAborted(request)) return false
  try {
    const { reason } = request.signal
    return error === reason || (error instanceof Error && error.name === 'AbortError')
  } catch {
    // A thrown value may be a throwing proxy.
    return false
  }
}

/** The error document of a ScimError, with the status's headers. */
function errorAnswer(error: ScimError, challenge: string): FailedAnswer {
  return {
    error,
    status: error.status,
    headers: errorHeaders(error, challenge),
    body: writeErrorDocument(error),
  }
}

function errorHeaders(error: ScimError, challenge: string): Readonly<Record<string, string>> {
  const { status } = error
  if (error instanceof MethodError) return { Allow: error.allow }
  if (status === 401) return { 'WWW-Authenticate': challenge }
  return status === 503 || status === 429 ? { 'Retry-After': RETRY_AFTER } : {}
}

/** An error must not become a success, and must have the parts of an error document. */
function isAnswerable(error: unknown): error is ScimError {
  if (!(error instanceof ScimError)) return false
  const { status, message, scimType } = error
  const isText = typeof message === 'string' && (scimType === null || typeof scimType === 'string')
  return isText && Number.isInteger(status) && status >= 400 && status <= 599
}

const INTERNAL = new ScimError(500, 'internal server error')
/** RFC 9110 §15.6.2: the service lacks the functionality, which any client may find out. */
const NOT_IMPLEMENTED = 501
/** The status servers log if a client closed the connection before the response. */
const HUNG_UP = 499
/** In seconds. */
const RETRY_AFTER = '5'
/** How much of a path an error quotes. */
const MAX_PATH_LENGTH = 100
