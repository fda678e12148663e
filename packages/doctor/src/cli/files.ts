import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { unwrap } from '@plumbline/result'
import { type ComparedReport, type Comparison, parseReport } from '../lib/compare.ts'
import { formatReport, type ReportFormat } from '../lib/format-report.ts'
import type { Report } from '../lib/report.ts'
import { orCommandError } from './command-error.ts'
import type { CommandArguments } from './parse-arguments.ts'

/** Reads an earlier report. Throws a CommandError. */
export async function readReport(path: string, folder: string): Promise<ComparedReport> {
  return orCommandError(`${path}: `, async () =>
    unwrap(parseReport(JSON.parse(await readFile(resolve(folder, path), 'utf8')))),
  )
}

/** Writes a report to files below a folder. Throws a CommandError. */
export async function writeReports(
  report: Report,
  compared: Comparison | undefined,
  files: CommandArguments['files'],
  folder: string,
): Promise<void> {
  const formats: readonly ReportFormat[] = ['html', 'junit', 'json']
  for (const format of formats) {
    const path = files[format]
    if (path === undefined) continue
    await orCommandError(`${path}: `, async () => {
      const file = resolve(folder, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, formatReport(report, { format, compared }))
    })
  }
}
