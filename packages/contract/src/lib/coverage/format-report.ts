import { oneOf, requireOptions } from '@plumbline/base'
import type { ContractReport } from '../report.ts'
import { type CoverageRules, checkCoverage, RULES } from './check-coverage.ts'
import { writeGithub } from './format/github.ts'
import { writeHtml } from './format/html.ts'
import { writeJson } from './format/json.ts'
import { writeJunit } from './format/junit.ts'
import { writeText } from './format/text.ts'
import type { ReportView } from './view.ts'

/** The formats `formatReport` supports. */
export type ReportFormat = 'text' | 'html' | 'json' | 'junit' | 'github'

/** How a report is written. */
export interface FormatOptions extends CoverageRules {
  /** The format; defaults to a table as text. */
  readonly format?: ReportFormat | undefined
}

/**
 * Writes a report: `text` as a table like a code coverage report, `html` as one page without scripts or requests,
 * `json` as the report with the items' states, `junit` as XML with one test case for each item and each violation,
 * `github` as Markdown for a GitHub job summary.
 *
 * Names and messages are escaped for each format. Throws a TypeError for rules `checkCoverage` rejects and for an
 * unknown format.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { createContractRecorder, formatReport } from '@plumbline/contract'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('getHealth', 'GET /health', {
 *     summary: 'Check the health',
 *     responses: { 204: { description: 'Healthy' }, 503: { description: 'Database unavailable' } },
 *   }),
 * )
 * const recorder = createContractRecorder(builder)
 * const request = new Request('http://localhost/health')
 * await recorder.middleware({ request }, async () => new Response(null, { status: 204 }))
 *
 * formatReport(recorder.report()).split('\n')[3] //=> 'getHealth      |      1/2 |        - |           - |          - |       - | 503'
 * ```
 */
export function formatReport(report: ContractReport, options: FormatOptions = {}): string {
  const known = oneOf(...Object.keys(WRITERS))
  requireOptions<FormatOptions>('formatReport', options, { ...RULES, format: known })
  const { format = 'text', ...rules } = options
  return WRITERS[format]({ ...checkCoverage(report, rules), report })
}

/** Whether a name is a known format. */
export function isReportFormat(name: string): name is ReportFormat {
  return Object.hasOwn(WRITERS, name)
}

const WRITERS: Readonly<Record<ReportFormat, (view: ReportView) => string>> = {
  text: writeText,
  html: writeHtml,
  json: writeJson,
  junit: writeJunit,
  github: writeGithub,
}
