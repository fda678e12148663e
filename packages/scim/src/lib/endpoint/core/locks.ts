import { type Deadline, waitFor } from './deadline.ts'

/**
 * Waits until all work before with the same key has ended, and returns the function that ends this turn. Rejects if the
 * write is over before.
 */
export type Lock = (key: string, deadline: Deadline) => Promise<() => void>

/** Creates locks within this process. */
export function createLock(): Lock {
  /** The newest turn for each key. */
  const newest = new Map<string, Turn>()
  return async (key, deadline) => {
    // Late work must not take a turn that nothing ends.
    deadline.throwIfOver()
    const before = newest.get(key)
    let resolveOwn = (): void => undefined
    const own = new Promise<void>((resolve) => {
      resolveOwn = resolve
    })
    // When work stops waiting, the work behind it must not overtake the work ahead.
    const end = before === undefined ? own : before.end.then(() => own)
    const turn = { deadline, end }
    newest.set(key, turn)
    const release = (): void => {
      resolveOwn()
      end.then(() => {
        if (newest.get(key) === turn) newest.delete(key)
      })
    }
    if (before === undefined) return release
    // The clients' signals are read only if one write waits for another.
    before.deadline.watchClient()
    deadline.watchClient()
    try {
      await waitFor(before.end, deadline)
    } catch (error) {
      release()
      throw error
    }
    return release
  }
}

interface Turn {
  readonly deadline: Deadline
  /** Resolves when this work and all work before it has ended. */
  readonly end: Promise<void>
}
