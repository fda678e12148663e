/** A number of rows. Counting stops at a limit: then at least as many rows exist. */
export interface Count {
  readonly count: number
  readonly isExact: boolean
}

/** Formats a number that may be a lower bound; a dash if it is unknown. */
export function countOf(found: Count | undefined): string {
  if (found === undefined) return '–'
  return found.isExact ? count(found.count) : `${count(found.count)} or more`
}

/** Formats a number with separators, such as `1,000,000`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** Formats a number with a noun, such as `1 error` and `2 errors`. */
export function nounOf(counted: Count, noun: string): string {
  return `${countOf(counted)} ${isOne(counted) ? noun : `${noun}s`}`
}

/** Whether a number is exactly 1. */
export function isOne({ count, isExact }: Count): boolean {
  return isExact && count === 1
}
