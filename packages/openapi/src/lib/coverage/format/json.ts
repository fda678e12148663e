import type { ReportView } from '../view.ts'

/** Writes the result of the rules as JSON: the operations with the states of their items, and the totals. */
export function writeJson({ report, ...checked }: ReportView): string {
  return `${JSON.stringify({ ...report, ...checked }, null, 2)}\n`
}
