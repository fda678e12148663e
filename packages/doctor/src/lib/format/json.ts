import { REPORT_FORMAT, REPORT_VERSION } from '../compare.ts'
import type { Report } from '../report.ts'

/** Writes a report as JSON. The version is increased if a member changes its meaning or is removed. */
export function writeJson(report: Report): string {
  return `${JSON.stringify({ format: REPORT_FORMAT, version: REPORT_VERSION, ...report }, null, 2)}\n`
}
