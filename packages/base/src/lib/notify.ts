/**
 * Calls a callback without waiting for its result, such as `onError`. If it throws or returns a promise that rejects,
 * the error is printed, and then `lost`: an answer does not depend on a log, and an unhandled rejection ends the
 * process. A callback without a promise costs nothing more: it is called for every request.
 */
export function notify(name: string, call: () => unknown, lost: readonly unknown[] = []): void {
  const print = (error: unknown): void => printFailure(name, error, ...lost)
  try {
    const result = call()
    if (typeof result === 'object' && result !== null) Promise.resolve(result).catch(print)
  } catch (error) {
    print(error)
  }
}

/** Prints the errors of a callback, which cannot be passed to the program in another way. */
export function printFailure(name: string, ...errors: readonly unknown[]): void {
  try {
    console.error(`${name} failed:`, ...errors)
  } catch {
    // A thrown value may be a proxy whose members throw when it is printed.
  }
}
