import type { Outcome, Waiver } from './report.ts'

/**
 * Skips a failed check if it is waived until today or later. After this day, the check fails again, and the reason
 * names the waiver.
 */
export function waive(
  outcome: Outcome,
  waivers: readonly Waiver[] | undefined,
  now: Date,
): Outcome {
  const waiver = waivers?.find(({ id }) => id === outcome.id)
  if (waiver === undefined || outcome.status !== 'failed') return outcome
  const { reason, until } = waiver
  if (now.toISOString().slice(0, 10) > until) {
    return { ...outcome, reason: `The waiver expired on ${until}: ${reason}` }
  }
  return { ...outcome, waiver, status: 'skipped', reason: `Waived until ${until}: ${reason}` }
}
