/** The longest time (ms) a timer can wait, 24.8 days. Runtimes fire a timer for a longer time immediately. */
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1

/** Whether a timer can wait for a time (ms). */
export function isTime(time: number): boolean {
  return Number.isSafeInteger(time) && time >= 0 && time <= MAX_TIMEOUT_MS
}

/** Describes such a time in a message. */
export const WHOLE_MILLISECONDS: string = `a whole number of milliseconds, at most ${MAX_TIMEOUT_MS}`
