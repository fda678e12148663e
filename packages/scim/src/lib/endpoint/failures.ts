import { ScimError } from '../error.ts'
import { writeErrorDocument } from '../message/responses.ts'
import type { Answer } from './answer.ts'

/** The error for a method that a path does not support (RFC 9110 §15.5.6). */
export class MethodError extends ScimError {
  /** The methods of the path, as the Allow header lists them. */
  readonly allow: string

  constructor(allow: string) {
    super(405, `this endpoint supports only ${allow}`)
    this.allow = allow
  }
}

/** The answer to a thrown value, and its error; null if the client has closed the connection. */
export interface FailedAnswer extends Answer {
  readonly error: ScimError | null
}

/** Turns thrown values into answers. */
export interface Failures<Context> {
  /** The answer to a thrown value. An internal error is a `500` that shows nothing of it. */
  answer(error: unknown, request: Request, context: Context | null): FailedAnswer
}

/** The options of an endpoint that decide on errors. */
export interface FailureOptions<Context> {
  /** Receives each error behind a `5xx`, also of a bulk operation. */
  readonly onError?:
    | ((
        error: unknown,
        failed: { readonly request: Request; readonly context: Context | null },
      ) => void)
    | undefined
  /** Translates an error of a store; null for an internal error. */
  readonly toScimError?: ((error: unknown) => ScimError | null) | undefined
  /** The value of `WWW-Authenticate` in a `401`. */
  readonly challenge: string
}

/** Creates the failures of an endpoint. */
export function createFailures<Context>({
  onError,
  toScimError,
  challenge,
}: FailureOptions<Context>): Failures<Context> {
  const report = (error: unknown, request: Request, context: Context | null): void => {
    try {
      onError?.(error, { request, context })
    } catch {
      // The response of the client does not depend on the log.
    }
  }
  const translate = (error: unknown): ScimError => {
    if (error instanceof ScimError) return isErrorStatus(error.status) ? error : INTERNAL
    try {
      return toScimError?.(error) ?? INTERNAL
    } catch {
      return INTERNAL
    }
  }
  return {
    answer: (error, request, context) => {
      const { signal } = request
      const answer = translate(error)
      if (answer.status >= 500 && !isAbort(error, signal)) report(error, request, context)
      // The client has closed the connection: its response is not read.
      if (signal.aborted) return { status: HUNG_UP, headers: {}, body: null, error: null }
      return errorAnswer(answer, challenge)
    },
  }
}

/** Whether an error only says that the client has closed the connection. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}

/** The error document of a ScimError, with the headers of its status. */
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

/** A response cannot have any other status. */
function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599
}

const INTERNAL = new ScimError(500, 'internal server error')
/** The status that servers log if a client closed the connection before the response. */
const HUNG_UP = 499
/** In seconds. */
const RETRY_AFTER = '5'
