import { addressOf } from '../address.ts'
import { unexaminedIn } from '../areas.ts'
import { REPORT_FORMAT, REPORT_VERSION } from '../compare.ts'
import type { Report } from '../report.ts'
import { isFinding } from '../summary.ts'
import { describeVerdict } from '../verdict.ts'

/**
 * Writes a report as JSON. Each finding has the address where the site explains its check. The version is increased if
 * a member changes its meaning or is removed.
 */
export function writeJson(report: Report): string {
  const verdict = describeVerdict(report)
  const outcomes = report.outcomes.map((outcome) =>
    isFinding(outcome) ? { ...outcome, address: addressOf(outcome) } : outcome,
  )
  const notExamined = unexaminedIn(report.outcomes)
  const head = { verdict, notExamined, format: REPORT_FORMAT, version: REPORT_VERSION }
  const document = { ...head, ...report, outcomes }
  return `${JSON.stringify(document, null, 2)}\n`
}
