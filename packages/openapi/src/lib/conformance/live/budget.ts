/** How much of the traffic is checked. */
export interface BudgetOptions {
  /** The share of exchanges to check, 0 to 1; 0.01 by default. */
  readonly sample?: number | undefined
  /** The processor time that checks may take, in milliseconds of each second; 5 by default. */
  readonly budget?: number | undefined
}

/** Completes a budget. Throws a TypeError for a share that is not 0 to 1, and for a time that is not positive. */
export function checkBudget({ sample = 0.01, budget = 5 }: BudgetOptions): {
  readonly sample: number
  readonly budget: number
} {
  if (!(sample >= 0 && sample <= 1)) throw new TypeError('sample must be 0 to 1')
  if (!(budget > 0)) throw new TypeError('budget must be a positive number of milliseconds')
  return { sample, budget }
}

/** The time that checks may still take. */
export interface Budget {
  /** Whether to check the next exchange. Reserves the time that a check takes. */
  take(): number | null
  /** Settles a reservation with the time (ms) that the check took. */
  settle(reserved: number, spent: number): void
}

/** Creates a budget that fills up to one second. A check that took longer is made up for by the seconds after it. */
export function createBudget(
  { sample, budget }: { readonly sample: number; readonly budget: number },
  now: () => number,
  random: () => number,
): Budget {
  let [available, filled, usual] = [budget, now(), FIRST]
  return {
    take: () => {
      if (random() >= sample) return null
      const time = now()
      available = Math.min(budget, available + (Math.max(0, time - filled) / 1_000) * budget)
      filled = time
      if (available <= 0) return null
      available -= usual
      return usual
    },
    settle: (reserved, spent) => {
      available += reserved - spent
      // It decreases slowly: after a short check, many long ones could begin at the same time.
      usual = Math.max(LEAST, spent, usual * 0.9)
    },
  }
}

/** The time (ms) that the first check is expected to take, and the least of others. */
const FIRST = 1
const LEAST = 0.1
