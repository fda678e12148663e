/** Runs work of the same key one after another. */
export type Lock = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>

/** Creates locks within this process. */
export function createLock(): Lock {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const run = before === undefined ? work() : before.then(work, work)
    last.set(key, run)
    try {
      return await run
    } finally {
      if (last.get(key) === run) last.delete(key)
    }
  }
}
