import { type Deadline, settle, withDeadline } from './deadline.ts'
import { createWork, type Exchange, type Write } from './exchange.ts'
import { createLock } from './locks.ts'
import type { Profile } from './profiles.ts'
import { isContext } from './verdicts.ts'

/** Runs work in a transaction. The context it passes to the work reaches the store. */
export type Transaction<Context> = <Value>(
  context: Context,
  work: (context: Context) => Promise<Value>,
) => Promise<Value>

/**
 * Creates the function that runs writes. Without a transaction, writes to one resource run one after another within
 * this process.
 *
 * A write is over after `limits.writeTime`, and if its client closes the connection while another write waits or the
 * store reads the signal. Then it does not call the store again. Other writes to the resource wait until the running
 * store call has ended, but no longer than a second: a store call without an end must not lock a resource.
 */
export function createWrite<Context>(
  transaction: Transaction<Context> | undefined,
): Write<Context> {
  const run = transaction === undefined ? createSerialRun<Context>() : runIn(transaction)
  return (exchange, { name }, work) =>
    withDeadline(exchange.request, exchange.limits.writeTime, (deadline) =>
      run(exchange, name, deadline, (context) => work(createWork(exchange, context, deadline))),
    )
}

/** Runs work that writes a resource. The name is its type's. */
type Run<Context> = <Value>(
  exchange: Exchange<Context>,
  name: string,
  deadline: Deadline,
  work: (context: Context) => Promise<Value>,
) => Promise<Value>

function runIn<Context>(transaction: Transaction<Context>): Run<Context> {
  return async ({ context: client }, _, deadline, work) => {
    let done: unknown = NOT_RUN
    const transacted = transaction(client, async (context) => {
      if (!isContext(context)) throw new TypeError('transaction must pass a context to the work')
      const result = await work(context)
      done = result
      return result
    })
    // A JavaScript function may not return a promise.
    const value = await settle(Promise.resolve(transacted), deadline)
    // Otherwise a client could receive a success for a write that never happened.
    if (value !== done) throw new TypeError('transaction must return the value of the work')
    return value
  }
}

function createSerialRun<Context>(): Run<Context> {
  const lock = createLock()
  return ({ id, context, profile }, name, deadline, work) => {
    const run = () => settle(work(context), deadline)
    const runAlone = id === '' ? run : () => lock(`${name}/${id}`, deadline, run)
    // Uniqueness is checked with a search before the write, so both run under one lock.
    return isUniqueBySearch(profile, name) ? lock(name, deadline, runAlone) : runAlone()
  }
}

function isUniqueBySearch({ unique }: Profile, name: string): boolean {
  return Object.hasOwn(unique, name) && unique[name]?.length !== 0
}

/** The value of work that was not run. No work returns it. */
const NOT_RUN = Symbol('not run')
