/** A point in time: whole milliseconds since 1970, and the digits of the fraction beyond them. */
export interface Instant {
  readonly milliseconds: number
  /** Without trailing zeros, so that equal instants have equal digits. */
  readonly finer: string
}

/**
 * Reads a dateTime (RFC 7643 §2.3.5: an `xsd:dateTime`), or gives null when it is none.
 * A value without an offset is in UTC.
 */
export function parseInstant(text: string): Instant | null {
  return PLAIN.test(text) ? { milliseconds: Date.parse(text), finer: '' } : parseAny(text)
}

function parseAny(text: string): Instant | null {
  const match = DATE_TIME.exec(text)
  if (match === null) return null
  const [, whole = '', date = '', day, fraction = '', offset = 'Z'] = match
  const milliseconds = Date.parse(`${whole}.${`${fraction}000`.slice(0, 3)}${offset}`)
  // Date.parse takes the 30th of February for the 1st of March.
  if (Number(day) > 28 && Number(day) !== dayOfMonth(date)) return null
  // Hour 24 is the end of the day and nothing after it; Date.parse sees but three digits of the fraction.
  if (whole.startsWith('24', 11) && /[1-9]/.test(fraction)) return null
  // RFC 3339 §1: a year before 0000 or after 9999 cannot be written. NaN is within no bounds.
  if (!(milliseconds >= EARLIEST && milliseconds <= LATEST)) return null
  return { milliseconds, finer: withoutTrailingZeros(fraction.slice(3)) }
}

/** Negative when `a` is before `b`, positive when it is after, 0 when they are the same instant. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.milliseconds !== b.milliseconds) return a.milliseconds - b.milliseconds
  if (a.finer === b.finer) return 0
  return a.finer < b.finer ? -1 : 1
}

/** Not by `/0+$/`, which tries every run of zeros anew from each of its digits. */
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
/** What nearly every server writes, of which `Date.parse` refuses nothing and rounds nothing. */
const PLAIN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/
// Digits are fixed in number, and one quantifier meets the fraction: matching is linear.
const DATE_TIME =
  /^((\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/i
