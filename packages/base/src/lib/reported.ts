/** Errors that ended a body after they were reported. */
const reported = new WeakSet<object>()

/** Notes that an error was reported before it ends a body, so that the server does not report it again. */
export function noteReported(error: unknown): void {
  if (typeof error === 'object' && error !== null) reported.add(error)
}

/** Whether an error was reported before it ended a body. */
export function isReported(error: unknown): boolean {
  return typeof error === 'object' && error !== null && reported.has(error)
}
