import type { Comparison } from './compare.ts'
import { writeHtml } from './format/html.ts'
import { writeJson } from './format/json.ts'
import { writeJunit } from './format/junit.ts'
import type { Report } from './report.ts'

/** The formats of `formatReport`. */
export type ReportFormat = 'html' | 'json' | 'junit'

/** How a report is written. */
export interface FormatOptions {
  /** The format; JSON by default. */
  readonly format?: ReportFormat | undefined
  /** The differences from an earlier report, which the page shows. */
  readonly compared?: Comparison | undefined
}

/**
 * Writes a report: `html` as one page without scripts or requests, `json` in a stable form with a version, `junit` as
 * XML with one test case for each check. Texts from the server are escaped for each format.
 *
 * @example
 * ```ts
 * import { formatReport } from '@plumbline/doctor'
 *
 * const target = 'https://example.com/scim/v2'
 * const run = { date: '2026-11-24T09:00:00Z', doctor: '2026.11.21', profiles: [] }
 * const report = { target, ...run, marker: 'plumbline-1', outcomes: [], left: [], stopped: null }
 * JSON.parse(formatReport(report)).version //=> 1
 * ```
 */
export function formatReport(
  report: Report,
  { format = 'json', compared }: FormatOptions = {},
): string {
  switch (format) {
    case 'html':
      return writeHtml(report, compared ?? null)
    case 'junit':
      return writeJunit(report)
    case 'json':
      return writeJson(report)
  }
}
