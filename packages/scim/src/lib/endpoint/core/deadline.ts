import { ScimError } from '../../error.ts'

/** A write's deadline. A write that is over does not call the store again. */
export interface Deadline {
  /** Aborts when the write is over. It is created when it is first read, because few stores do. */
  readonly signal: AbortSignal
  /** Ends the write. */
  end(reason: unknown): void
  /** The write is over as well when the client closes the connection. */
  watchClient(): void
  /** Throws the reason if the write is over. */
  throwIfOver(): void
  /** Calls a function when the write is over, or immediately. Returns a function that removes it. */
  onOver(listener: (reason: unknown) => void): () => void
}

/** Runs work that is over after `limit` milliseconds, with a ScimError, `503`, as the reason. */
export async function withDeadline<Value>(
  request: { readonly signal?: AbortSignal },
  limit: number,
  work: (deadline: Deadline) => Promise<Value>,
): Promise<Value> {
  const listeners = new Set<(reason: unknown) => void>()
  let over: { readonly reason: unknown } | null = null
  let own: AbortController | null = null
  let client: AbortSignal | undefined
  const end = (reason: unknown): void => {
    if (over !== null) return
    over = { reason }
    own?.abort(reason)
    for (const listener of listeners) listener(reason)
  }
  const hangUp = (): void => end(client?.reason)
  const timer = setTimeout(() => end(expired(limit)), limit)
  const deadline: Deadline = {
    end,
    get signal() {
      deadline.watchClient()
      own ??= new AbortController()
      if (over !== null) own.abort(over.reason)
      return own.signal
    },
    // Some runtimes and mocks make requests without a signal, and some create it only when it is read.
    watchClient: () => {
      client ??= request.signal
      if (client?.aborted) hangUp()
      else client?.addEventListener('abort', hangUp)
    },
    throwIfOver: () => {
      if (over !== null) throw over.reason
    },
    onOver: (listener) => {
      if (over !== null) listener(over.reason)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  try {
    return await work(deadline)
  } finally {
    clearTimeout(timer)
    client?.removeEventListener('abort', hangUp)
  }
}

/**
 * Waits for work that is running. After the write is over, it waits for another second, because the work may end soon:
 * the signal has aborted. Then it rejects with the reason, whether or not the work ever ends.
 *
 * @param grace how long it waits then, in milliseconds
 */
export function settle<Value>(
  work: Promise<Value>,
  deadline: Deadline,
  grace: number = GRACE,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let reason: unknown
    const remove = deadline.onOver((why) => {
      reason = why
      timer = setTimeout(() => reject(why), grace)
    })
    const end = (): void => {
      remove()
      clearTimeout(timer)
    }
    work.then(
      (value) => {
        end()
        resolve(value)
      },
      (error) => {
        end()
        reject(inTime(error, reason))
      },
    )
  })
}

/** Waits for the work before. Rejects with the reason when the write is over. */
export function waitFor(before: Promise<void>, deadline: Deadline): Promise<void> {
  return new Promise((resolve, reject) => {
    const remove = deadline.onOver(reject)
    before.then(() => {
      remove()
      resolve()
    })
  })
}

/** Drivers report a statement the signal cancelled as an error of their own. */
function inTime(error: unknown, reason: unknown): unknown {
  if (!(reason instanceof ScimError) || error instanceof ScimError) return error
  return new ScimError(reason.status, reason.message, { cause: error })
}

function expired(limit: number): ScimError {
  return new ScimError(503, `the write did not end within ${limit / 1_000} seconds`)
}

/** How long a store call may take to end after its write is over, in milliseconds. */
export const GRACE = 1_000
