/** A point in time: whole milliseconds since 1970, and the remaining fraction digits. */
export interface Instant {
  readonly milliseconds: number
  /** Without trailing zeros, so equal instants have equal digits. */
  readonly finer: string
}

/**
 * Parses a dateTime (RFC 7643 §2.3.5: an `xsd:dateTime`), or returns null. A value without an offset is in
 * UTC.
 */
export function parseInstant(text: string): Instant | null {
  return PLAIN.test(text) ? { milliseconds: Date.parse(text), finer: '' } : parseAnyDateTime(text)
}

function parseAnyDateTime(text: string): Instant | null {
  const match = DATE_TIME.exec(text)
  if (match === null) return null
  const [, whole = '', date = '', day, fraction = '', offset = 'Z'] = match
  const milliseconds = Date.parse(`${whole}.${`${fraction}000`.slice(0, 3)}${offset}`)
  // Date.parse reads February 30 as March 1.
  if (Number(day) > 28 && Number(day) !== dayOfMonth(date)) return null
  // Hour 24 is only valid when the day ends. Date.parse reads only three fraction digits.
  if (whole.startsWith('24', 11) && /[1-9]/.test(fraction)) return null
  // RFC 3339 §1: a year before 0000 or after 9999 cannot be written. Comparisons with NaN are false.
  if (!(milliseconds >= EARLIEST && milliseconds <= LATEST)) return null
  return { milliseconds, finer: withoutTrailingZeros(fraction.slice(3)) }
}

/** Orders instants: negative if `a` is before `b`, positive if it is after, 0 if they are equal. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.milliseconds !== b.milliseconds) return a.milliseconds - b.milliseconds
  if (a.finer === b.finer) return 0
  return a.finer < b.finer ? -1 : 1
}

/** Removes trailing zeros. `/0+$/` would be quadratic: it tries every run of zeros again from each digit. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

function dayOfMonth(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDate()
}

const EARLIEST = Date.parse('0000-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
/** The format that nearly every server uses. `Date.parse` reads it without errors and without rounding. */
const PLAIN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/
// The digit count is fixed, and one quantifier reads the fraction: matching is linear.
const DATE_TIME =
  /^((\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/i
