/** A call that did what was asked, carrying what it gives. */
export interface Success<Data> {
  readonly status: 'success'
  readonly data: Data
}

/** A call that could not, carrying the error that says why. */
export interface Failure<Problem extends Error = Error> {
  readonly status: 'failure'
  readonly error: Problem
}

/**
 * What a call that can fail returns: a plain object, either a success carrying `data` or a failure
 * carrying `error`. It is never thrown, and `error` is always an `Error`.
 *
 * @example
 * ```ts
 * import { failure, isFailure, type Result, success } from '@plumbline/result'
 *
 * function readPort(text: string): Result<number, RangeError> {
 *   const port = Number(text)
 *   return Number.isInteger(port) ? success(port) : failure(new RangeError(`no port: ${text}`))
 * }
 *
 * const read = readPort('http')
 * const message = isFailure(read) ? read.error.message : `port ${read.data}`
 * message //=> 'no port: http'
 * ```
 */
export type Result<Data, Problem extends Error = Error> = Success<Data> | Failure<Problem>

/** Makes the success that carries `data`; without an argument, the success that carries nothing. */
export function success(): Success<undefined>
export function success<Data>(data: Data): Success<Data>
export function success<Data>(data?: Data): Success<Data | undefined> {
  return { status: 'success', data }
}

/** Makes the failure that carries `error`. */
export function failure<Problem extends Error>(error: Problem): Failure<Problem> {
  return { status: 'failure', error }
}

/** Tells whether `result` is a success, and narrows it so that `data` can be read. */
export function isSuccess<Data, Problem extends Error>(
  result: Result<Data, Problem>,
): result is Success<Data>
export function isSuccess<Either extends Result<unknown>>(
  result: Either,
): result is Extract<Either, Success<unknown>>
export function isSuccess(result: Result<unknown>): boolean {
  return result.status === 'success'
}

/** Tells whether `result` is a failure, and narrows it so that `error` can be read. */
export function isFailure<Data, Problem extends Error>(
  result: Result<Data, Problem>,
): result is Failure<Problem>
export function isFailure<Either extends Result<unknown>>(
  result: Either,
): result is Extract<Either, Failure>
export function isFailure(result: Result<unknown>): boolean {
  return result.status === 'failure'
}

/**
 * Gives the data of a success, and throws the error of a failure: that very error, not a wrapper.
 *
 * For places where a failure is a mistake of the program, such as a document built at start-up.
 *
 * @example
 * ```ts
 * import { success, unwrap } from '@plumbline/result'
 *
 * unwrap(success(3000)) //=> 3000
 * ```
 */
export function unwrap<Data, Problem extends Error>(result: Result<Data, Problem>): Data {
  if (isFailure(result)) throw result.error
  return result.data
}
