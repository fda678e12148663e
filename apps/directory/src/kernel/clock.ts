/**
 * Clamps a time, in milliseconds since 1970, to the years that ids and dateTime strings can express: 1970 to 9999. Only
 * a wrong clock shows another time.
 */
export function expressible(time: number): number {
  return Math.min(Math.max(time, 0), LAST_TIME)
}

/** Converts a time, in milliseconds since 1970, to a dateTime; null stays null. */
export function isoTime(time: number): string
export function isoTime(time: number | null): string | null
export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')
