import { StoreUnavailableError } from '../store/store.ts'

/**
 * Runs work on a database, and stops waiting after a limit (ms) or when the signal aborts. The database may need
 * longer to stop the work itself: a node that hangs does not answer.
 */
export async function within<Value>(
  limit: number,
  work: (signal: AbortSignal) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new StoreUnavailableError('the database does not answer')),
    limit,
  )
  const ending = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
  try {
    return await Promise.race([work(ending), abortOf(ending)])
  } finally {
    clearTimeout(timer)
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
