/** Durations in milliseconds. */
export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000
export const WEEK = 604_800_000
