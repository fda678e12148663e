/**
 * Calls a callback without waiting for its result, such as `onViolation`. If it throws or returns a promise that
 * rejects, the error is printed: an answer does not depend on a log, and an unhandled rejection ends the process.
 */
export function notify(name: string, call: () => unknown): void {
  const run = async (): Promise<unknown> => await call()
  run().catch((error: unknown) => {
    try {
      console.error(`${name} failed:`, error)
    } catch {
      // A thrown value may be a proxy that throws when it is printed.
    }
  })
}
