/** How long work may take, and who waits for it. */
export interface Deadline {
  /** In milliseconds. */
  readonly limit: number
  readonly signal: AbortSignal | undefined
  /** Makes the reason with which work is aborted after the limit. */
  readonly error: () => Error
}

/** Runs work with a signal that is aborted with the given one, or when the limit has passed. */
export async function within<Value>(
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
