import { appendFileSync } from 'node:fs'
import { isShort } from './short.ts'

/** A limit on the ratio between two times, or two rates. */
export interface Limit {
  /** The table that the limit belongs to. */
  readonly of: string
  /** The contender the ratio is relative to. */
  readonly against: string
  readonly atMost?: number
  readonly atLeast?: number
  /** Why the limit is known to be missed; such a miss does not fail the run. */
  readonly noted?: string
}

/** A limit with what a run measured. */
export interface Measured extends Limit {
  readonly low: number
  readonly middle: number
  readonly high: number
  readonly verdict: Verdict
}

export type Verdict = 'kept' | 'missed' | 'missed within the noise'

/**
 * Prints whether a run's ratios meet a limit, with their median and the middle half of the rounds. A limit is missed if
 * the whole middle half is beyond it, so the run's noise does not decide. `main.ts` reads the verdicts of all groups
 * from a file.
 */
export function printBudget(limit: Limit, ratios: readonly number[]): void {
  if (ratios.length === 0 || !ratios.every((ratio) => ratio > 0 && Number.isFinite(ratio))) {
    throw new Error(`${limit.of}: the ratios to ${limit.against} are ${ratios.join(', ')}`)
  }
  const sorted = ratios.toSorted((a, b) => a - b)
  const [low, middle, high] = [
    quantile(sorted, 0.25),
    quantile(sorted, 0.5),
    quantile(sorted, 0.75),
  ]
  const verdict = verdictOf(limit, [low, middle, high], middle)
  const measured: Measured = { ...limit, low, middle, high, verdict }
  const { PLUMBLINE_BENCH_BUDGETS: file } = process.env
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(measured)}\n`)
  if (isShort) return
  const range = `${low.toFixed(2)}× to ${high.toFixed(2)}×`
  const note = verdict === 'missed' && limit.noted !== undefined ? `, as noted: ${limit.noted}` : ''
  console.log(
    `\nBudget: ${textOf(limit)}; measured ${middle.toFixed(2)}× (${range}): ${verdict}${note}.`,
  )
}

/** Prints whether a condition that is not a ratio is met. */
export function printCondition(of: string, condition: string, isMet: boolean): void {
  const verdict = isMet ? 'kept' : 'missed'
  const measured: Measured = { of, against: condition, low: 1, middle: 1, high: 1, verdict }
  const { PLUMBLINE_BENCH_BUDGETS: file } = process.env
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(measured)}\n`)
  if (!isShort) console.log(`\nBudget: ${condition}: ${verdict}.`)
}

/** Returns whether ratios meet a limit: missed if all of them are beyond it. */
export function verdictOf(
  { atMost = Number.POSITIVE_INFINITY, atLeast = 0 }: Pick<Limit, 'atMost' | 'atLeast'>,
  ratios: readonly number[],
  middle: number,
): Verdict {
  const isMet = (ratio: number): boolean => ratio <= atMost && ratio >= atLeast
  if (isMet(middle)) return 'kept'
  return ratios.some(isMet) ? 'missed within the noise' : 'missed'
}

/** Writes a limit for a table. */
export function textOf({ against, atMost, atLeast }: Limit): string {
  if (atMost !== undefined) return `≤ ${atMost}× ${against}`
  return atLeast === undefined ? against : `≥ ${atLeast}× ${against}`
}

/** Returns the ratios between two series, round by round. */
export function ratiosOf(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((time, round) => time / (theirs[round] ?? Number.NaN))
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN
}
