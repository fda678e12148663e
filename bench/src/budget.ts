/** A limit on the ratio between two times, or two rates. */
export interface Limit {
  /** The contender the ratio is relative to. */
  readonly against: string
  readonly atMost?: number
  readonly atLeast?: number
}

/**
 * Prints whether a run's ratios meet a limit, with their median and the middle half of the rounds. A limit is missed if
 * the median is beyond it. With `--check`, the process only fails if the whole middle half is beyond it, so the run's
 * noise does not decide.
 */
export function printBudget({ against, atMost, atLeast }: Limit, ratios: readonly number[]): void {
  const sorted = ratios.toSorted((a, b) => a - b)
  const low = quantile(sorted, 0.25)
  const middle = quantile(sorted, 0.5)
  const high = quantile(sorted, 0.75)
  const isMet = (ratio: number): boolean =>
    ratio <= (atMost ?? Number.POSITIVE_INFINITY) && ratio >= (atLeast ?? 0)
  const isClear = !isMet(low) && !isMet(middle) && !isMet(high)
  if (isClear && process.argv.includes('--check')) process.exitCode = 1
  const limit = atMost === undefined ? `≥ ${atLeast}×` : `≤ ${atMost}×`
  const verdict = isMet(middle) ? 'kept' : isClear ? 'missed' : 'missed within the noise'
  const range = `${low.toFixed(2)}× to ${high.toFixed(2)}×`
  console.log(
    `\nBudget: ${limit} ${against}; measured ${middle.toFixed(2)}× (${range}): ${verdict}.`,
  )
}

/** Returns the ratios between two series, round by round. */
export function ratiosOf(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((time, round) => time / (theirs[round] ?? Number.NaN))
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN
}
