import { setImmediate } from 'node:timers/promises'
import { createPacedReading, type PacedReading } from './paced-reading.ts'

/** Reads and answers requests that clients send without waiting for the answers (RFC 9112 §9.3.2). */
export interface Pipelines {
  readonly reading: PacedReading
  /** Answers a connection's requests one after another. */
  answer<Answer>(connection: object, answer: () => Promise<Answer>): Promise<Answer>
}

/**
 * Creates the pipelines of a process. A request that follows an unanswered one on the same connection waits for a turn
 * of the event loop. One of them begins in each turn, and requests of other clients are served between them.
 */
export function createPipelines(): Pipelines {
  const last = new WeakMap<object, Promise<unknown>>()
  const nextTurn = createTurns()
  return {
    reading: createPacedReading(nextTurn),
    answer: (connection, answer) => {
      const before = last.get(connection)
      const afterTurn = () => nextTurn().then(answer)
      const answered = before === undefined ? answer() : before.then(afterTurn, afterTurn)
      last.set(connection, answered)
      const leave = (): void => {
        if (last.get(connection) === answered) last.delete(connection)
      }
      answered.then(leave, leave)
      return answered
    },
  }
}

/** Creates the function that waits for a turn of the event loop that no other waiting caller gets. */
function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
