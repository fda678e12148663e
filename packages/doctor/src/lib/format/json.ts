import { REPORT_FORMAT, REPORT_VERSION } from '../compare.ts'
import type { Report } from '../report.ts'
import { describeVerdict } from '../summary.ts'

/** Writes a report as JSON. The version is increased if a member changes its meaning or is removed. */
export function writeJson(report: Report): string {
  const verdict = describeVerdict(report)
  const document = { verdict, format: REPORT_FORMAT, version: REPORT_VERSION, ...report }
  return `${JSON.stringify(document, null, 2)}\n`
}
