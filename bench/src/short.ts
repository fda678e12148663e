/** Whether this run only shows that each group works. It measures next to nothing, so its figures say nothing. */
export const isShort: boolean = process.env.PLUMBLINE_BENCH_SHORT === '1'

/** Chooses an amount of work: that of a measurement, or that of a short run. */
export function amount(full: number, short: number): number {
  return isShort ? short : full
}
