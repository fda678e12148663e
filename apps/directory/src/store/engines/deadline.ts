/** The time limit of work, and the signal of its caller. */
export interface Deadline {
  /** In milliseconds. */
  readonly limit: number
  readonly signal: AbortSignal | undefined
  /** Creates the error with which work is aborted after the limit. */
  readonly error: () => Error
}

/** Runs work with a signal that aborts with the given signal, or after the limit. */
export async function withDeadline<Value>(
  { limit, signal, error }: Deadline,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(error()), limit)
  try {
    return await work(signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal)
  } finally {
    clearTimeout(timer)
  }
}
