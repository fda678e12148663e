import type { Forms } from '@plumbline/base'

/** How much traffic is checked. */
export interface BudgetOptions {
  /** The share of exchanges to check, 0 to 1; defaults to 0.01. */
  readonly sample?: number | undefined
  /** The processor time allowed for checks, in milliseconds per second; defaults to 5. */
  readonly budget?: number | undefined
}

/** Which production exchanges are checked, and how often they are reported. */
export interface LiveSampling extends BudgetOptions {
  /** The minimum time (ms) between two reports; defaults to a minute. Reports are only passed on after a check. */
  readonly interval?: number | undefined
}

/** The time left for checks. */
export interface Budget {
  /** Reserves the expected time (ms) of one check and returns it; null if the next exchange is not to be checked. */
  take(): number | null
  /** Replaces a reservation with the time (ms) spent on the check. */
  settle(reserved: number, spent: number): void
  /** Begins work. Returns whether it has used the time of one second, so that it must stop. */
  begin(): () => boolean
  /** Takes time (ms) for other work, such as a report. */
  spend(time: number): void
}

/** Creates a budget that refills up to one second's time. After a longer check, the next seconds make up for it. */
export function createBudget(
  { sample = 0.01, budget = 5 }: BudgetOptions,
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
    begin: () => {
      const end = now() + budget
      return () => now() > end
    },
    spend: (time) => {
      available -= time
    },
  }
}

/** The expected time (ms) for the first check, and the minimum for later ones. */
const FIRST = 1
const LEAST = 0.1

const isPositive = (value: unknown) => Number.isFinite(value) && Number(value) > 0

/** The forms of sampling options. */
export const SAMPLING: Forms<LiveSampling> = {
  sample: [
    'a number from 0 to 1',
    (value) => value === 0 || (isPositive(value) && Number(value) <= 1),
  ],
  budget: ['a positive number of milliseconds', isPositive],
  interval: ['milliseconds of at least 0', (value) => value === 0 || isPositive(value)],
}
