/** The longest time (ms) a timer can wait, 24.8 days. Runtimes fire a timer for a longer time immediately. */
export const MOST_MILLISECONDS: number = 2 ** 31 - 1
