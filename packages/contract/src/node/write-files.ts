import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { CoverageRules } from '../lib/coverage/check-coverage.ts'
import { formatReport, isReportFormat, type ReportFormat } from '../lib/coverage/format-report.ts'
import type { ContractReport } from '../lib/report.ts'

/** File paths by format; a format without a path is not written. */
export type ReportFiles = Readonly<Partial<Record<ReportFormat, string | undefined>>>

/** Writes a report to files below a folder. A GitHub job's summary is appended to its file. */
export async function writeFiles(
  report: ContractReport,
  rules: CoverageRules,
  files: ReportFiles,
  folder: string,
): Promise<void> {
  for (const [format, path] of Object.entries(files)) {
    if (!isReportFormat(format)) throw new TypeError(`files: ${format} is not a format`)
    if (path === undefined || path === '') continue
    const file = resolve(folder, path)
    await mkdir(dirname(file), { recursive: true })
    const write = format === 'github' ? appendFile : writeFile
    await write(file, formatReport(report, { ...rules, format }))
  }
}
