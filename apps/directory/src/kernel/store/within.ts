import { withDeadline } from './engines/deadline.ts'
import { StoreUnavailableError } from './store.ts'

/**
 * Runs work on a database, and stops waiting after a limit (ms) or when the signal aborts. The database may need
 * longer to stop the work itself: a node that hangs does not answer.
 */
export async function within<Value>(
  limit: number,
  work: (signal: AbortSignal) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const error = () => new StoreUnavailableError('the database does not answer')
  return await withDeadline({ limit, signal, error }, (ending) =>
    Promise.race([abortOf(ending), work(ending)]),
  )
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
