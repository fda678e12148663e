import { checkCoverage } from '../lib/coverage/check-coverage.ts'
import { compareLive } from '../lib/coverage/compare-live.ts'
import { writeLive } from '../lib/coverage/format/live.ts'
import { formatReport } from '../lib/coverage/format-report.ts'
import { mergeReports } from '../lib/coverage/merge.ts'
import { CommandError, orCommandError } from './command-error.ts'
import { parseArguments, USAGE } from './parse-arguments.ts'
import { readIgnoreFile, readReportFiles } from './read-files.ts'
import { writeFiles } from './write-files.ts'

/** The process members the command uses. */
export interface CommandProcess {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  cwd(): string
}

/**
 * Runs `plumbline-contract`: merges the reports in files and prints them, or compares production reports with test
 * reports. Returns the exit code: 0 if the merged report passes or production did not violate the contract, 1 if not, 2
 * for invalid arguments or files.
 */
export async function runCommand(
  args: readonly string[],
  process: CommandProcess,
): Promise<0 | 1 | 2> {
  try {
    return await run(args, process)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`plumbline-contract: ${error.message}\n`)
    return 2
  }
}

async function run(args: readonly string[], process: CommandProcess): Promise<0 | 1> {
  const parsed = parseArguments(args)
  const { paths, files, ignoreFile, thresholds, partial, tests, days, help } = parsed
  if (help) {
    process.stdout.write(USAGE)
    return 0
  }
  const folder = process.cwd()
  const ignore = ignoreFile === null ? [] : await readIgnoreFile(ignoreFile, folder)
  const rules = { ignore, thresholds, partial }
  const report = mergeReports(await readReportFiles(paths, folder))
  if (tests.length > 0) {
    const compared = compareLive(report, mergeReports(await readReportFiles(tests, folder)), days)
    await writeFiles(report, rules, files, folder)
    process.stdout.write(writeLive(compared, days))
    return compared.violated.length === 0 ? 0 : 1
  }
  const { failures } = orCommandError(() => checkCoverage(report, rules))
  await writeFiles(report, rules, files, folder)
  process.stdout.write(formatReport(report, rules))
  return failures.length === 0 ? 0 : 1
}
