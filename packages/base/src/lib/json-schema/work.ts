/** The work allowed for examining values, and the results known so far. */
export interface Work {
  /** How many steps are left. A step examines one value with one schema. */
  left: number
  /** How many steps contain the current one. */
  depth: number
  /** Whether the time is over; asked from time to time. */
  readonly isOver: () => boolean
  /** Whether schemas accept objects and lists, by value and schema; null until a schema was tested. */
  accepted: WeakMap<object, Map<object, boolean>> | null
  /** The contents that have covered an object or list; null until one may cover it again. */
  examined: WeakMap<object, Set<object>> | null
}

/** Allows an amount of work: a number of steps, and optionally a time. */
export function createWork(steps: number = MAX_STEPS, isOver: () => boolean = never): Work {
  return { left: steps, depth: 0, isOver, accepted: null, examined: null }
}

/**
 * Begins a step, which must end with `leave`. Without work left, or within too many steps, it throws an exception that
 * only `isExaminedWhole` catches.
 */
export function enter(work: Work): void {
  work.left -= 1
  const isAsked = work.left % STEPS_PER_CLOCK_CHECK === 0
  if (work.left < 0 || work.depth >= MAX_DEPTH || (isAsked && work.isOver())) throw new NoWorkLeft()
  work.depth += 1
}

/** Ends a step. */
export function leave(work: Work): void {
  work.depth -= 1
}

/** Runs an examination. Returns whether the work was enough. */
export function isExaminedWhole(run: () => void): boolean {
  try {
    run()
    return true
  } catch (error) {
    if (error instanceof NoWorkLeft) return false
    throw error
  }
}

const never = (): boolean => false

class NoWorkLeft extends Error {}

/** The steps for one exchange, which take at most 5 ms. */
const MAX_STEPS = 30_000
/** After how many steps the clock is asked. */
const STEPS_PER_CLOCK_CHECK = 256
/** The stack has room for about three times as many steps. */
const MAX_DEPTH = 300
