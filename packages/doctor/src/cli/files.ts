import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { unwrap } from '@plumbline/result'
import { CHECKS } from '../lib/checks.ts'
import { type ComparedReport, type Comparison, parseReport } from '../lib/compare.ts'
import { formatReport, type ReportFormat } from '../lib/format-report.ts'
import { isJsonObject, type JsonObject } from '../lib/json.ts'
import { parseRun, type Run } from '../lib/replay/run.ts'
import type { Report, Waiver } from '../lib/report.ts'
import { CommandError, orCommandError } from './command-error.ts'
import type { CommandArguments } from './parse-arguments.ts'

/** Reads an earlier report. Throws a CommandError. */
export async function readReport(path: string, folder: string): Promise<ComparedReport> {
  return orCommandError(`${path}: `, async () =>
    unwrap(parseReport(JSON.parse(await readFile(resolve(folder, path), 'utf8')))),
  )
}

/** Reads a run. Throws a CommandError. */
export async function readRun(path: string, folder: string): Promise<Run> {
  return orCommandError(`${path}: `, async () =>
    unwrap(parseRun(JSON.parse(await readFile(resolve(folder, path), 'utf8')))),
  )
}

/** Reads the waivers from a file. Throws a CommandError: each has a check's id, a reason and a date. */
export async function readWaivers(path: string, folder: string): Promise<readonly Waiver[]> {
  return orCommandError(`${path}: `, async () => {
    const json: unknown = JSON.parse(await readFile(resolve(folder, path), 'utf8'))
    if (!Array.isArray(json)) throw new CommandError('the waivers are not a list')
    return json.map(parseWaiver)
  })
}

function parseWaiver(value: unknown): Waiver {
  const { id, reason, until }: JsonObject = isJsonObject(value) ? value : {}
  if (!CHECKS.some((check) => check.id === id)) throw new CommandError(`no check has the id ${id}`)
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new CommandError(`the waiver of ${id} does not have a reason`)
  }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(String(until)) || Number.isNaN(Date.parse(String(until)))) {
    throw new CommandError(`the waiver of ${id} does not have a date until, such as 2026-12-31`)
  }
  return { id: String(id), reason, until: String(until) }
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
