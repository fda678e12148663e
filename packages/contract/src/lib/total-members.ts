import type { MembersTotal, OperationReport } from './report.ts'

/** Counts the members in all operations. */
export function totalMembers(
  operations: readonly OperationReport[],
  cut: readonly string[],
): MembersTotal {
  let [total, covered] = [0, 0]
  for (const { items } of operations) {
    for (const { kind, count } of items) {
      if (kind !== 'members') continue
      total += 1
      if (count > 0) covered += 1
    }
  }
  return { total, covered, cut: [...new Set(cut)] }
}
