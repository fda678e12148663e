import { parseArgs } from 'node:util'
import type { ProviderName } from '../lib/check.ts'
import type { ReportFormat } from '../lib/format-report.ts'
import { CommandError, orCommandError } from './command-error.ts'

/** The arguments of the command. */
export interface CommandArguments {
  /** The base URL; null without one. */
  readonly url: string | null
  /** The token; null to take that of the environment. */
  readonly token: string | null
  readonly profiles: readonly ProviderName[]
  /** The ids, topics and sections of `--only`; null without the option. */
  readonly only: readonly string[] | null
  readonly readOnly: boolean
  /** The files to write. */
  readonly files: Readonly<Partial<Record<ReportFormat, string | undefined>>>
  /** The file with the earlier report; null without one. */
  readonly compare: string | null
  readonly limits: { readonly rate?: number; readonly timeout?: number }
  readonly list: boolean
  readonly yes: boolean
  readonly help: boolean
}

/** Parses the arguments of the command. Throws a CommandError. */
export async function parseArguments(args: readonly string[]): Promise<CommandArguments> {
  const { values, positionals } = await orCommandError('', () =>
    parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true }),
  )
  const { profile = [], only, html, junit, json, rate, timeout, ...rest } = values
  const [url = null, ...more] = positionals
  const [help, list] = [rest.help === true, rest.list === true]
  if (url === null && !help && !list) throw new CommandError(`the URL is missing\n${USAGE}`)
  if (more.length > 0) throw new CommandError(`only one URL can be examined, not ${more[0]}, too`)
  return {
    url,
    token: rest.token ?? null,
    profiles: profile.map(parseProfile),
    only: only?.flatMap((text) => text.split(',')).map((text) => text.trim()) ?? null,
    readOnly: rest['read-only'] === true,
    files: { html, junit, json },
    compare: rest.compare ?? null,
    limits: {
      ...(rate === undefined ? {} : { rate: parseLimit('rate', rate) }),
      ...(timeout === undefined ? {} : { timeout: parseLimit('timeout', timeout) }),
    },
    list,
    yes: rest.yes === true,
    help,
  }
}

function parseProfile(text: string): ProviderName {
  if (text === 'entra' || text === 'okta') return text
  throw new CommandError(`--profile: ${text} is not entra or okta`)
}

function parseLimit(name: string, text: string): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0
  // A timer of Node with a longer time fires immediately.
  if (value <= 0 || value >= 2 ** 31) {
    throw new CommandError(`--${name}: ${text} is not a number above 0`)
  }
  return value
}

const OPTIONS = {
  token: { type: 'string' },
  profile: { type: 'string', multiple: true },
  only: { type: 'string', multiple: true },
  'read-only': { type: 'boolean' },
  html: { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'string' },
  compare: { type: 'string' },
  rate: { type: 'string' },
  timeout: { type: 'string' },
  list: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The usage of the command. */
export const USAGE = `Usage: plumbline-doctor [options] <url>

Examines a SCIM server by its base URL, such as http://localhost:3000/scim/v2. It creates resources whose names
contain a marker, and deletes them.

  --token <token>         the bearer token; better in PLUMBLINE_DOCTOR_TOKEN, which is not in the list of processes
  --profile entra|okta    runs the checks of this identity provider, too; can be repeated
  --only <id>|<topic>|<§> only these checks and those that they need, such as filters or §3.5.2
  --read-only             sends only GET requests and searches
  --yes                   does not ask before it writes to a server that has resources
  --html, --junit, --json <file>  writes the report in this format
  --compare <file>        shows the changes since an earlier report of --json
  --rate <n>              the maximum number of requests in a second; 20 by default
  --timeout <ms>          how long a response may take; 10000 by default
  --list                  lists the checks
  --help                  prints this text

Exit codes: 0 no MUST failed, 1 a MUST failed, 2 the server could not be examined.
`
