import { type Deadline, waitFor } from './deadline.ts'

/** Runs work with the same key one after another. Work still waiting when it is over is not run. */
export type Lock = <Value>(
  key: string,
  deadline: Deadline,
  work: () => Promise<Value>,
) => Promise<Value>

/** Creates locks within this process. */
export function createLock(): Lock {
  /** The newest work for each key. */
  const newest = new Map<string, Turn>()
  return async (key, deadline, work) => {
    const before = newest.get(key)
    let release = (): void => undefined
    const own = new Promise<void>((resolve) => {
      release = resolve
    })
    // When work stops waiting, the work behind it must not overtake the work ahead.
    const end = before === undefined ? own : before.end.then(() => own)
    const turn = { deadline, end }
    newest.set(key, turn)
    try {
      if (before !== undefined) {
        // The clients' signals are read only if one write waits for another.
        before.deadline.watchClient()
        deadline.watchClient()
        await waitFor(before.end, deadline)
      }
      return await work()
    } finally {
      release()
      end.then(() => {
        if (newest.get(key) === turn) newest.delete(key)
      })
    }
  }
}

interface Turn {
  readonly deadline: Deadline
  /** Resolves when this work and all work before it has ended. */
  readonly end: Promise<void>
}
