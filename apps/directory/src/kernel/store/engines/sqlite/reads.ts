import type { Database } from '../../database.ts'
import type { Store } from '../../store.ts'
import { FairQueue } from '../fair-queue.ts'
import { restAfter, SLICE } from '../loop-turns.ts'

/** Runs work in a transaction. */
type InTransaction = (work: (db: Database) => Promise<void>) => Promise<void>

/**
 * Runs the reads from one event loop turn in one transaction: each sees the state at its call, or a later one.
 * Their promises settle together at the end: their continuations would otherwise run between the statements,
 * and evict the database from the processor's cache. Long reads are divided over several transactions, with the
 * tenants in turn. The loop rests between them, so other requests are answered.
 */
export function createReads(inTransaction: InTransaction): Store['read'] {
  /** The reads called since the last transaction began. */
  let called: (readonly [tenantId: string, read: Read])[] = []
  const waiting = new FairQueue<Read>()
  let isScheduled = false

  const run = async (): Promise<void> => {
    for (const [tenantId, read] of called) waiting.add(tenantId, read)
    called = []
    const started = performance.now()
    const settlers: (() => void)[] = []
    try {
      await inTransaction(async (db) => {
        for (let read = waiting.nextOfAll(); read !== undefined; ) {
          settlers.push(await read.run(db))
          read = performance.now() - started < SLICE ? waiting.nextOfAll() : undefined
        }
      })
    } catch (error) {
      // The read that ended the transaction was rejected, and the next transaction runs the waiting reads. If
      // no read ran, the database cannot begin a transaction.
      if (settlers.length === 0) {
        for (let read = waiting.nextOfAll(); read !== undefined; read = waiting.nextOfAll()) {
          read.fail(error)
        }
      }
    }
    for (const settle of settlers) settle()
    isScheduled = waiting.size > 0 || called.length > 0
    if (waiting.size > 0) setTimeout(run, restAfter(performance.now() - started))
    else if (isScheduled) setImmediate(run)
  }

  return (work, { signal, tenantId = '' } = {}) =>
    new Promise((resolve, reject) => {
      const runRead: Read['run'] = async (db) => {
        try {
          // A SQLite statement blocks the thread, so a signal cannot abort while it runs.
          signal?.throwIfAborted()
          const value = await work(db)
          return () => resolve(value)
        } catch (error) {
          return () => reject(error)
        }
      }
      called.push([tenantId, { run: runRead, fail: reject }])
      if (isScheduled) return
      isScheduled = true
      setImmediate(run)
    })
}

interface Read {
  /** Runs the work and returns a callback that settles the caller's promise. */
  readonly run: (db: Database) => Promise<() => void>
  readonly fail: (error: unknown) => void
}
