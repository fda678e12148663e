import type { ReportView } from '../view.ts'

/** Writes the checked report as JSON: the operations with their items' states, and the totals. */
export function writeJson({ report, ...checked }: ReportView): string {
  return `${JSON.stringify({ ...report, ...checked }, null, 2)}\n`
}
