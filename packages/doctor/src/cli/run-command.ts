import { isFailure } from '@plumbline/result'
import { unexaminedIn } from '../lib/areas.ts'
import { isBinding } from '../lib/check.ts'
import { CHECKS } from '../lib/checks.ts'
import { compareReports } from '../lib/compare.ts'
import { examine } from '../lib/examine.ts'
import { DEFAULT_LIMITS } from '../lib/http/limits.ts'
import { planChecks } from '../lib/plan.ts'
import type { Report } from '../lib/report.ts'
import { notRun } from '../lib/summary.ts'
import { READ_ONLY } from '../lib/toolkit/finding.ts'
import { CommandError, orCommandError } from './command-error.ts'
import {
  type CommandProcess,
  complain,
  confirmIn,
  interruptible,
  reportError,
  reportLeft,
} from './command-process.ts'
import { readCredentials } from './credentials.ts'
import { readReport, readWaivers, writeReports } from './files.ts'
import { type CommandArguments, parseArguments, USAGE } from './parse-arguments.ts'
import { replayFile } from './replay-file.ts'
import { colorsFor, createProgressLine } from './terminal.ts'
import { writeList, writeText } from './text.ts'
import { createTlsFetch } from './tls-fetch.ts'

/** The command's exit code. */
export type ExitCode = 0 | 1 | 2 | 3

/**
 * Runs `plumbline-doctor`: examines a server and prints the report. Returns the exit code: 0 if no check at the level
 * MUST or `defined` failed, 1 if one did, 2 for invalid arguments or files and if the server could not be examined, 3
 * if more checks than `--max-skipped` could not run.
 */
export async function runCommand(
  args: readonly string[],
  process: CommandProcess,
): Promise<ExitCode> {
  try {
    return await run(await parseArguments(args), process)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`plumbline-doctor: ${error.message}\n`)
    return 2
  }
}

async function run(given: CommandArguments, process: CommandProcess): Promise<ExitCode> {
  const { url, only, profiles, files, help, list } = given
  if (help) {
    process.stdout.write(USAGE)
    return 0
  }
  if (list || url === null) {
    const selection = {
      only: only ?? undefined,
      profiles: profiles.length > 0 ? profiles : ('all' as const),
      skip: given.skip,
    }
    const checks = await orCommandError('', () => planChecks(CHECKS, selection))
    process.stdout.write(writeList(checks))
    return 0
  }
  if (given.replay !== null) return await replayFile(given.replay, url, given, process)
  const folder = process.cwd()
  const before = given.compare === null ? null : await readReport(given.compare, folder)
  const result = await examineUrl(url, given, process)
  if (isFailure(result)) {
    reportError(process, result.error)
    return 2
  }
  const report = result.data
  const compared = before === null ? null : compareReports(before, report)
  process.stdout.write(writeText(report, compared, colorsFor(process.stdout, process.env)))
  reportLeft(process, report.left)
  if (report.stopped !== null) complain(process, `stopped early: ${report.stopped}`)
  await writeReports(report, compared ?? undefined, files, folder)
  return exitCodeOf(report, given.maxSkipped)
}

async function examineUrl(
  url: string,
  given: CommandArguments,
  process: CommandProcess,
): Promise<Awaited<ReturnType<typeof examine>>> {
  const { certificate } = given.credentials
  const target = certificate === null ? url : await createTlsFetch(certificate, process.cwd())
  const credentials = await readCredentials(given, process.env)
  const waivers = given.waivers === null ? [] : await readWaivers(given.waivers, process.cwd())
  const marker = `plumbline-${crypto.randomUUID().slice(0, 8)}`
  const progress = createProgressLine(process.stderr)
  const work = {
    clear: progress.clear,
    what: 'the examination',
    left: `resources whose names contain ${marker}`,
  }
  return await interruptible(process, work, (signal) =>
    examine(target, {
      ...credentials,
      base: url,
      only: given.only ?? undefined,
      skip: given.skip,
      types: given.types ?? undefined,
      values: given.values,
      waivers,
      profiles: given.profiles,
      readOnly: given.readOnly,
      hostile: given.hostile,
      limits: { rate: DEFAULT_LIMITS.rate, ...given.limits },
      marker,
      signal,
      confirm: confirmIn(process, given, `named ${marker}…`),
      onOutcome: (outcome, { done, total }) => progress.show(outcome, done, total),
    }),
  )
}

function exitCodeOf({ outcomes, stopped }: Report, maxSkipped: number): ExitCode {
  if (stopped !== null || outcomes.some(({ status }) => status === 'broken')) return 2
  if (outcomes.some(({ level, status }) => isBinding(level) && status === 'failed')) return 1
  // Without permission to write, the rest is known not to be examined.
  const missing = unexaminedIn(outcomes).filter(
    ({ isEssential, reason }) => isEssential && reason !== READ_ONLY,
  )
  return notRun(outcomes).length + missing.length > maxSkipped ? 3 : 0
}
