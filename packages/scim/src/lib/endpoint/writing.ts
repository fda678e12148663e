import { createWork, type Write } from './exchange.ts'
import { createLock } from './locks.ts'
import type { Profile } from './profiles.ts'

/** Runs work in a transaction. The context that it passes to the work reaches the store. */
export type Transaction<Context> = <Value>(
  context: Context,
  work: (context: Context) => Promise<Value>,
) => Promise<Value>

/**
 * Creates the function that runs writes. Without a transaction, the writes of one resource run one after another
 * within this process.
 */
export function createWrite<Context>(
  transaction: Transaction<Context> | undefined,
): Write<Context> {
  if (transaction !== undefined) {
    return (exchange, _, work) =>
      transaction(exchange.context, (context) => work(createWork(exchange, context)))
  }
  const lock = createLock()
  return (exchange, { name }, work) => {
    const { id, context, profile } = exchange
    const run = () => work(createWork(exchange, context))
    const runAlone = id === '' ? run : () => lock(`${name}/${id}`, run)
    // A value that must be unique is first searched and then written.
    return isUniqueBySearch(profile, name) ? lock(name, runAlone) : runAlone()
  }
}

function isUniqueBySearch({ unique }: Profile, name: string): boolean {
  return Object.hasOwn(unique, name) && unique[name]?.length !== 0
}
