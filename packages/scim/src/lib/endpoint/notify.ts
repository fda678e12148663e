/**
 * Calls a callback without waiting for the result, such as `onError`. If it throws or returns a promise that rejects,
 * the error is printed, and then `lost`: a response does not depend on a log, and an unhandled rejection ends the
 * process.
 */
export function notify(name: string, call: () => unknown, lost: readonly unknown[] = []): void {
  const print = (error: unknown): void => {
    try {
      console.error(`${name} failed:`, error, ...lost)
    } catch {
      // A thrown value may be a proxy that throws when it is printed.
    }
  }
  try {
    const result = call()
    if (result instanceof Object) Promise.resolve(result).catch(print)
  } catch (error) {
    print(error)
  }
}
