/**
 * Calls a callback without waiting for its result, such as `onViolation`. If it throws or returns a promise that
 * rejects, the error is printed: an answer does not depend on a log, and an unhandled rejection ends the process.
 */
export function notify(name: string, call: () => unknown): void {
  const run = async (): Promise<unknown> => await call()
  run().catch((error: unknown) => printFailure(name, error))
}

/** Prints the errors of a callback, which cannot be passed to the program in another way. */
export function printFailure(name: string, ...errors: readonly unknown[]): void {
  try {
    console.error(`${name} failed:`, ...errors)
  } catch {
    // A thrown value may be a proxy whose members throw when it is printed.
  }
}
