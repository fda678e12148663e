import { isContext } from '../options/faults.ts'
import { type Deadline, GRACE, settle, withDeadline } from './deadline.ts'
import { createWork, type Exchange, type Hold, RestartError, type Write } from './exchange.ts'
import { createLock, type Lock } from './locks.ts'

/** Runs work in a transaction. The context it passes to the work reaches the store. */
export type Transaction<Context> = <Value>(
  context: Context,
  work: (context: Context) => Promise<Value>,
) => Promise<Value>

/**
 * Creates the function that runs writes. Without a transaction, and for stores that need turns, the writes of one
 * resource run one after another within this process.
 *
 * A write is over after `limits.writeTime`, and if the client closes the connection while another write waits or the
 * store reads the signal. Then it does not call the store again. Other writes to the resource wait until the running
 * store call has ended, but no longer than a second: a store call without an end must not lock a resource. The
 * transaction's work rejects then as well, so the transaction can be rolled back and the connection released.
 */
export function createWrite<Context>(
  transaction: Transaction<Context> | undefined,
): Write<Context> {
  const lock = createLock()
  const run: Run<Context> =
    transaction === undefined
      ? ({ context }, deadline, work) => settle(work(context), deadline)
      : runIn(transaction)
  return (exchange, work) =>
    withDeadline(exchange.request, exchange.limits.writeTime, async (deadline) => {
      for (let attempt = 1; ; attempt += 1) {
        const turns = createTurns(lock, deadline, transaction !== undefined)
        let mustRestart = false
        try {
          return await run(exchange, deadline, async (context) => {
            try {
              return await work(createWork(exchange, context, deadline, turns.hold))
            } catch (error) {
              // The transaction may wrap the error.
              mustRestart = error instanceof RestartError
              throw error
            }
          })
        } catch (error) {
          if (!mustRestart || attempt === MAX_ATTEMPTS) throw error
        } finally {
          turns.release()
        }
      }
    })
}

/** Runs work that writes a resource. */
type Run<Context> = <Value>(
  exchange: Exchange<Context>,
  deadline: Deadline,
  work: (context: Context) => Promise<Value>,
) => Promise<Value>

function runIn<Context>(transaction: Transaction<Context>): Run<Context> {
  return async ({ context: client }, deadline, work) => {
    let done: unknown = NOT_RUN
    let isRunning = false
    const transacted = transaction(client, async (context) => {
      if (!isContext(context)) throw new TypeError('transaction must pass a context to the work')
      isRunning = true
      try {
        // If a store call never ends, the rollback and the release must not wait for it.
        const result = await settle(work(context), deadline)
        done = result
        return result
      } finally {
        isRunning = false
      }
    })
    try {
      // A JavaScript function may not return a promise. A rollback takes time as well.
      const value = await settle(Promise.resolve(transacted), deadline, 2 * GRACE)
      // Otherwise a client could receive a success for a write that never happened.
      if (value === done) return value
    } catch (error) {
      // The transaction has ended before the work: the work must not use the connection any more.
      if (isRunning) deadline.end(error)
      throw error
    }
    throw new TypeError('transaction must return the value of the work')
  }
}

/** Returns the function that takes a write's turns, and the one that ends them. */
function createTurns(
  lock: Lock,
  deadline: Deadline,
  isTransacted: boolean,
): { readonly hold: Hold; readonly release: () => void } {
  const held = new Map<string, () => void>()
  return {
    hold: async ({ name, store }, id) => {
      if (isTransacted && store.needsTurns !== true) return
      const key = `${name}/${id}`
      if (!held.has(key)) held.set(key, await lock(key, deadline))
    },
    release: () => {
      for (const release of held.values()) release()
    },
  }
}

/** The value of work that was not run. No work returns it. */
const NOT_RUN = Symbol('not run')
const MAX_ATTEMPTS = 10
