import type { ReportView } from '../view.ts'

/** Writes the result of the rules as JSON: the operations with the states of their items, and the totals. */
export function writeJson({ report, operations, totals, failures }: ReportView): string {
  return `${JSON.stringify({ ...report, operations, totals, failures }, null, 2)}\n`
}
