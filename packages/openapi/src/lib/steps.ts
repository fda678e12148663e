/** A computation with steps that may wait. It yields the promises it waits for, and nothing if all values are known. */
export type Steps<Value> = Generator<PromiseLike<unknown>, Value, unknown>

/**
 * Runs a computation. Returns the value itself if it has not waited: promises take a tenth of the processor time of a
 * small request over HTTP.
 */
export function run<Value>(steps: Steps<Value>): Value | Promise<Value> {
  return proceed(steps, steps.next())
}

function proceed<Value>(
  steps: Steps<Value>,
  { done, value }: IteratorResult<PromiseLike<unknown>, Value>,
): Value | Promise<Value> {
  if (done) return value
  // The value of a generator's last step is not a promise it waits for.
  return (value as PromiseLike<unknown>).then(
    (known) => proceed(steps, steps.next(known)),
    (error: unknown) => proceed(steps, steps.throw(error)),
  ) as Promise<Value>
}

/** Waits for a promise within `Steps`. A value that is known needs no step: check it with `isWaiting`. */
export function* wait<Value>(promise: PromiseLike<Value>): Steps<Value> {
  return (yield promise) as Value
}

/** Whether a value is a promise, or the thenable of another library. */
export function isWaiting<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}
