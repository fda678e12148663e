import type { LoopTurns } from '../store.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * Divides the event loop among requests. Several requests may be ready in one turn of the loop, such as those
 * that arrived while it was blocked. Only the first ones run then. The others run one per turn, with tenants in
 * rotation. After long work, the loop rests for a fraction of the time used, and cheap requests are answered
 * meanwhile.
 */
export function createLoopTurns(): LoopTurns {
  const waiting = new FairQueue<() => void>()
  /** When work began in this loop turn; null before it. */
  let started: number | null = null
  let isResting = false

  const begin = (): void => {
    started = performance.now()
    setImmediate(end)
  }
  const end = (): void => {
    const used = started === null ? 0 : performance.now() - started
    started = null
    if (used > SLICE) rest(used)
    else release()
  }
  const rest = (used: number): void => {
    isResting = true
    const wake = (): void => {
      isResting = false
      release()
    }
    setTimeout(wake, restAfter(used))
  }
  const release = (): void => {
    const run = waiting.nextOfAll()
    if (run === undefined) return
    begin()
    run()
  }
  const mayRun = (): boolean => {
    if (isResting || waiting.size > 0) return false
    if (started === null) begin()
    return started !== null && performance.now() - started < SLICE
  }
  return {
    next: (tenantId) => {
      if (mayRun()) return undefined
      return new Promise((resolve) => waiting.add(tenantId, resolve))
    },
  }
}

/** How long (ms) the loop rests after work that took this long. */
export function restAfter(used: number): number {
  return Math.min(used * SHARE_OF_REST, MAX_REST_MS)
}

/** How long (ms) work may use a turn of the loop before other work waits for the next one. */
export const SLICE = 5
/** How long the loop rests, as a fraction of the time used before it, and the longest rest (ms). */
const SHARE_OF_REST = 1 / 4
const MAX_REST_MS = 25
