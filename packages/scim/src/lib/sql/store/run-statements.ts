import type { StoreRequest } from '../../endpoint/store.ts'
import type { Fragment } from '../fragment.ts'
import type { Session } from './session.ts'

/** Returns the statements for a resource, whose id may be known only after the row is inserted. */
export type StatementsFor = (id: string) => readonly Fragment[]

/** Runs statements one after another. */
export async function runAll<Context>(
  session: Session<Context>,
  statements: readonly Fragment[],
  context: Context,
): Promise<void> {
  for (const statement of statements) await session.run(statement, context)
}

/**
 * A session for one write, which rejects instead of running a statement after the write is over: the transaction has
 * ended, and its connection may already serve another one.
 */
export function sessionOf<Context>(
  session: Session<Context>,
  { signal }: StoreRequest,
): Session<Context> {
  return {
    ...session,
    execute: async (statement, context) => {
      signal.throwIfAborted()
      return await session.execute(statement, context)
    },
    run: async (statement, context) => {
      signal.throwIfAborted()
      return await session.run(statement, context)
    },
  }
}
