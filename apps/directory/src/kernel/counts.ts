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
