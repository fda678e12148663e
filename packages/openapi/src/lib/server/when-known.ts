/**
 * Calls a function with a value, or later with the value of a promise or of another library's thenable. A known value
 * does not need a promise, which takes a tenth of the processor time of a small request over HTTP.
 */
export function whenKnown<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (known: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return isThenable(value) ? later(value, next) : next(value)
}

/** A promise that a callback of `then` returns costs two more microtasks. */
async function later<Value, Next>(
  value: PromiseLike<Value>,
  next: (known: Value) => Next | Promise<Next>,
): Promise<Next> {
  return await next(await value)
}

function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}
