import { type CoverageRules, checkCoverage } from '../lib/coverage/check-coverage.ts'
import { formatReport } from '../lib/coverage/format-report.ts'
import { mergeReports } from '../lib/coverage/merge.ts'
import { readReports } from './meta.ts'
import { type ReportFiles, writeFiles } from './write-files.ts'

/** A reporter's rules and files. */
export interface ContractReporterOptions extends Omit<CoverageRules, 'partial'> {
  /** The files to write by format, with paths below the project's root; `github` is appended to. */
  readonly files?: ReportFiles | undefined
  /**
   * When the table of a whole run is printed: `always`, or with `failures` only if the contract fails, so that the result
   * of vitest is the last output of a run that passes; defaults to `always`.
   */
  readonly print?: 'always' | 'failures' | undefined
}

/** The vitest run, as far as the reporter uses it. */
export interface VitestRun {
  readonly config: {
    readonly root: string
    readonly testNamePattern?: RegExp | undefined
    readonly tagsFilter?: readonly string[] | undefined
  }
  readonly logger: { log(text: string): void; error(text: string): void }
  /** Finds every test file in the projects. */
  globTestSpecifications(): Promise<readonly VitestFile[]>
}

/** A project's test file. */
export interface VitestFile {
  readonly project: { readonly name: string }
  readonly moduleId: string
}

/** A test file that ran. */
export interface VitestTestModule extends VitestFile {
  readonly relativeModuleId: string
  meta(): object
}

/** A reporter for vitest 5. */
export interface ContractReporter {
  onInit(vitest: VitestRun): void
  onTestRunEnd(
    modules: readonly VitestTestModule[],
    errors: readonly unknown[],
    reason: string,
  ): Promise<void>
}

/**
 * Creates a reporter for vitest 5 that merges the reports from all test files, prints them as a table, writes files,
 * and sets the exit code to 1 if the merged report does not pass.
 *
 * If tests fail, coverage is not judged, and at most one line is printed: the errors of vitest stay the last output.
 *
 * A partial run, such as one shard or named files, fails only for violations, and is printed only if it has some. For
 * shards, use vitest's blob reporter and `--merge-reports`, or write `json` and merge the files with
 * `plumbline-contract`. A whole run fails if none of its files has a recorder with `vitestRunner`. Throws a TypeError
 * for rules `checkCoverage` rejects.
 *
 * @example
 * ```ts
 * import { contractReporter } from '@plumbline/contract/vitest'
 * import { defineConfig } from 'vitest/config'
 *
 * const contract = contractReporter({
 *   thresholds: 100,
 *   ignore: [{ kind: 'problem', name: 'unavailable', reason: 'No test stops the database.' }],
 *   files: { html: 'contract.html', github: process.env.GITHUB_STEP_SUMMARY },
 * })
 * const config = defineConfig({ test: { reporters: ['default', contract] } })
 * ```
 */
export function contractReporter(options: ContractReporterOptions = {}): ContractReporter {
  const { files = {}, print = 'always', ...rules } = options
  // Finds invalid rules before the tests run.
  checkCoverage(mergeReports([]), rules)
  let vitest: VitestRun | undefined
  return {
    onInit: (started) => {
      vitest = started
    },
    onTestRunEnd: async (modules, _errors, reason) => {
      if (vitest === undefined || reason === 'interrupted') return
      const partial = !(await isWhole(vitest, modules))
      const reports = modules.flatMap((one) => readReports(one.meta(), one.relativeModuleId))
      if (reports.length === 0) {
        if (!partial) fail(vitest, 'no test file created a recorder with `vitestRunner`')
        return
      }
      const report = mergeReports(reports)
      // A failing test has not covered its part of the contract.
      const hasFailedTests = reason === 'failed'
      const { failures } = checkCoverage(report, { ...rules, partial: partial || hasFailedTests })
      await writeFiles(report, { ...rules, partial }, files, vitest.config.root)
      if (failures.length > 0) process.exitCode = 1
      if (hasFailedTests) {
        if (failures.length > 0) vitest.logger.log(`contractReporter: ${failures.join(', ')}`)
      } else if (failures.length > 0 || (print === 'always' && !partial)) {
        vitest.logger.log(`\n${formatReport(report, { ...rules, partial })}`)
      }
    },
  }
}

function fail({ logger }: VitestRun, message: string): void {
  logger.error(`contractReporter: ${message}`)
  process.exitCode = 1
}

/** Returns whether every test file in the projects ran, without a filter selecting tests. */
async function isWhole(vitest: VitestRun, modules: readonly VitestFile[]): Promise<boolean> {
  const { testNamePattern, tagsFilter } = vitest.config
  if (testNamePattern !== undefined || tagsFilter !== undefined) return false
  const keyOf = ({ project, moduleId }: VitestFile) => JSON.stringify([project.name, moduleId])
  const ran = new Set(modules.map(keyOf))
  const all = await vitest.globTestSpecifications()
  return all.every((specification) => ran.has(keyOf(specification)))
}
