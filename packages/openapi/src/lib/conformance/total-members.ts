import type { MembersTotal, OperationReport } from './report.ts'

/** Counts the members in all operations. */
export function totalMembers(
  operations: readonly OperationReport[],
  cut: readonly string[],
): MembersTotal {
  const items = operations
    .flatMap((operation) => operation.items)
    .filter(({ kind }) => kind === 'members')
  const covered = items.filter(({ count }) => count > 0)
  return { total: items.length, covered: covered.length, cut: [...new Set(cut)] }
}
