/** A successful call's result. */
export interface Success<Data> {
  /** A result's discriminator. */
  readonly status: 'success'
  /** The value the call returned. */
  readonly data: Data
}

/** A failed call's result, with the error. */
export interface Failure<Problem extends Error = Error> {
  /** A result's discriminator. */
  readonly status: 'failure'
  /** Why the call failed. */
  readonly error: Problem
}

/**
 * The result of a call that can fail: a plain object, either a success with `data` or a failure with `error`, which is
 * always an `Error`.
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

/** Creates a success with `data`, which is undefined without an argument. */
export function success(): Success<undefined>
export function success<Data>(data: Data): Success<Data>
export function success<Data>(data?: Data): Success<Data | undefined> {
  return { status: 'success', data }
}

/** Creates a failure with `error`. */
export function failure<Problem extends Error>(error: Problem): Failure<Problem> {
  return { status: 'failure', error }
}

/** Returns whether `result` is a success, and narrows its type. */
export function isSuccess<Data, Problem extends Error>(
  result: Result<Data, Problem>,
): result is Success<Data>
export function isSuccess<Either extends Result<unknown>>(
  result: Either,
): result is Extract<Either, Success<unknown>>
export function isSuccess(result: Result<unknown>): boolean {
  return result.status === 'success'
}

/** Returns whether `result` is a failure, and narrows its type. */
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
 * Returns a success's data, or throws a failure's error without a wrapper.
 *
 * Use it where a failure is a bug, such as for a document built at startup.
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
