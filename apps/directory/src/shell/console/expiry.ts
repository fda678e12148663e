import { DAY } from '../../kernel/durations.ts'
/** Lifetime choices for a new token or secret, in a form. */
export const LIFETIMES = [
  ['365', 'in one year'],
  ['90', 'in 90 days'],
  ['never', 'never'],
] as const

/** Returns the time when a form's lifetime ends; null if it doesn't end. */
export function expiryOf(days: string | null, now: number): string | null {
  return days === '365' || days === '90' ? new Date(now + Number(days) * DAY).toISOString() : null
}

/** Choices in a form for how long the token before a rotation is accepted, in seconds. */
export const OVERLAPS = [
  ['86400', 'one day'],
  ['3600', 'one hour'],
  ['604800', 'one week'],
  ['0', 'not at all: it is known to others'],
] as const

/** A form's overlap, in seconds. */
export function overlapOf(seconds: string | null): number {
  return Number(OVERLAPS.find(([value]) => value === seconds)?.[0] ?? OVERLAPS[0][0])
}
