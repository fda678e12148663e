import type { CheckOutcome, ContractCheck } from './contract-check.ts'

/** The last check, skipped if others are: a test runner shows its reason. */
export const COMPLETE: Pick<ContractCheck, 'name' | 'section'> = {
  name: 'contract.complete: Each check applies to the stores',
  section: 'RFC 7643 §7',
}

/** Says how many checks were skipped for each reason, such as an undeclared attribute. */
export async function describeSkipped(checks: readonly ContractCheck[]): Promise<CheckOutcome> {
  const counts = new Map<string, number>()
  // Each topic runs once. One after another, because databases may be shared.
  for (const { run } of checks) {
    const { skipped } = await run().catch(() => ({ skipped: null }))
    if (skipped !== null) counts.set(skipped, (counts.get(skipped) ?? 0) + 1)
  }
  const reasons = [...counts].sort(([, left], [, right]) => right - left)
  if (reasons.length === 0) return { skipped: null }
  const total = reasons.reduce((sum, [, count]) => sum + count, 0)
  const lines = reasons.map(([reason, count]) => `${count}: ${reason.replace(/\.$/, '')}.`)
  return { skipped: `${total} of ${checks.length} checks were skipped. ${lines.join(' ')}` }
}
