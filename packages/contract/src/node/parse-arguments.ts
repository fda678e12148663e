import { parseArgs } from 'node:util'
import type { CoverageRules } from '../lib/coverage/check-coverage.ts'
import { CommandError, orCommandError } from './command-error.ts'
import type { ReportFiles } from './write-files.ts'

/** The command's arguments. */
export interface CommandArguments {
  /** The report files and folders. */
  readonly paths: readonly string[]
  /** The files to write. */
  readonly files: ReportFiles
  /** The file with the ignored items; null without one. */
  readonly ignoreFile: string | null
  readonly thresholds: CoverageRules['thresholds']
  readonly partial: boolean
  /** The test reports' files and folders, if the others are production reports; empty otherwise. */
  readonly tests: readonly string[]
  /** The number of days after which items not seen in production are listed. */
  readonly days: number
  readonly help: boolean
}

/** Parses the command's arguments. Throws a CommandError. */
export function parseArguments(args: readonly string[]): CommandArguments {
  const { values, positionals } = orCommandError(() =>
    parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true }),
  )
  const { html, json, junit, github, ignore = null, threshold = [], partial, help } = values
  const { tests = [], days = '30' } = values
  if (!help && positionals.length === 0) throw new CommandError(`no files\n${USAGE}`)
  return {
    paths: positionals,
    files: { html, json, junit, github },
    ignoreFile: ignore,
    thresholds: Object.assign({}, ...threshold.map(parseThreshold)),
    partial: partial === true,
    tests,
    days: parseDays(days),
    help: help === true,
  }
}

/** `90` applies to every kind, `status=90` to one. */
function parseThreshold(text: string): Record<string, number> {
  const [, kind = '', digits = ''] = /^(?:(\w+)=)?(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (digits === '') throw new CommandError(`--threshold: ${text} is not a percentage`)
  const least = Number(digits)
  return kind === ''
    ? { status: least, problem: least, mediaType: least, parameter: least }
    : { [kind]: least }
}

function parseDays(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new CommandError(`--days: ${text} is not a number of days`)
  return Number(text)
}

const OPTIONS = {
  tests: { type: 'string', multiple: true },
  days: { type: 'string' },
  threshold: { type: 'string', multiple: true },
  ignore: { type: 'string' },
  partial: { type: 'boolean' },
  html: { type: 'string' },
  json: { type: 'string' },
  junit: { type: 'string' },
  github: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The command's usage. */
export const USAGE = `Usage: plumbline-contract [options] <file or folder>…

Merges the reports of test processes, prints them as a table and checks them. A file holds the JSON of
recorder.report(), or the output of --json. Of a folder, every .json file is read.

  --threshold <percentage>         the least share of covered items, of every kind but members
  --threshold <kind>=<percentage>  of one kind: status, problem, mediaType, parameter or members
  --ignore <file>                  a JSON list of { operationId, kind, name, reason }
  --partial                        only a part of the suite ran: only violations fail
  --html, --json, --junit <file>   writes the report in this format
  --github <file>                  appends Markdown to a file, such as "$GITHUB_STEP_SUMMARY"
  --tests <file or folder>         the other files are reports of production: prints what was violated there, what was
                                   seen there and not in these tests, and what was not seen
  --days <number>                  with --tests: not seen for as many days; 30 by default
  --help                           prints this text

Exit codes: 0 passed, 1 failed, 2 invalid arguments or files.
`
