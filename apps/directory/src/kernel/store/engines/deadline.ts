/** A time limit for work, and its caller's signal. */
export interface Deadline {
  /** In milliseconds. */
  readonly limit: number
  readonly signal: AbortSignal | undefined
  /** Creates the error passed to `abort` after the limit. */
  readonly error: () => Error
}

/** Runs work with a signal that aborts with the given signal, or after the limit. */
export async function withDeadline<Value>(
  { limit, signal, error }: Deadline,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  // AbortSignal.any takes longer than a look-up: it registers weak references.
  const ending = new AbortController()
  const forward = () => ending.abort(signal?.reason)
  const timer = setTimeout(() => ending.abort(error()), limit)
  signal?.addEventListener('abort', forward)
  if (signal?.aborted) forward()
  try {
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', forward)
  }
}
