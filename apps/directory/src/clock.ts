/**
 * Moves a time, in milliseconds since 1970, into the years that ids and the texts of times can express:
 * 1970 to 9999. Only a clock that is wrong shows another.
 */
export function expressible(time: number): number {
  return Math.min(Math.max(time, 0), LAST_TIME)
}

const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')
