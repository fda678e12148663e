import { parseArgs } from 'node:util'
import type { ProfileName } from '../lib/check.ts'
import type { ReportFormat } from '../lib/format-report.ts'
import { PROFILE_NAMES } from '../lib/profiles.ts'
import { CommandError, orCommandError } from './command-error.ts'

/** The credentials in the arguments. Secrets can be in the environment instead. */
export interface GivenCredentials {
  /** `<user>:<password>`, or the user only; null without the option. */
  readonly basic: string | null
  /** The `--header` lines, by name. */
  readonly headers: Readonly<Record<string, string>>
  /** The OAuth 2.0 client; null without `--oauth-url`. */
  readonly oauth: {
    readonly url: string
    readonly client: string
    readonly scope: string | null
  } | null
  /** The client certificate's files; null without `--cert`. */
  readonly certificate: {
    readonly cert: string
    readonly key: string
    readonly ca: string | null
  } | null
}

/** The command's arguments. */
export interface CommandArguments {
  /** The base URL; null without one. */
  readonly url: string | null
  /** The run file to replay; null to examine the server. */
  readonly replay: string | null
  /** The token; null to read it from the environment. */
  readonly token: string | null
  readonly profiles: readonly ProfileName[]
  /** The ids, topics and sections from `--only`; null without the option. */
  readonly only: readonly string[] | null
  /** The ids, topics and sections from `--skip`. */
  readonly skip: readonly string[]
  /** The names from `--type`; null without the option. */
  readonly types: readonly string[] | null
  /** The values from `--with`, by path. */
  readonly values: Readonly<Record<string, string>>
  /** The file with the waivers; null without one. */
  readonly waivers: string | null
  readonly credentials: GivenCredentials
  readonly readOnly: boolean
  readonly hostile: boolean
  /** The files to write. */
  readonly files: Readonly<Partial<Record<ReportFormat, string | undefined>>>
  /** The file with the earlier report; null without one. */
  readonly compare: string | null
  readonly limits: { readonly rate?: number; readonly timeout?: number }
  /** How many checks may be unable to run without an exit code of their own. */
  readonly maxSkipped: number
  readonly list: boolean
  readonly yes: boolean
  readonly help: boolean
}

/** Parses the command's arguments. Throws a CommandError. */
export async function parseArguments(args: readonly string[]): Promise<CommandArguments> {
  const { values, positionals } = await orCommandError('', () =>
    parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true }),
  )
  const { profile = [], only, html, junit, json, rate, timeout, ...rest } = values
  const isReplay = positionals[0] === 'replay'
  const [file = null, ...others] = isReplay ? positionals.slice(1) : []
  const [url = null, ...more] = isReplay ? others : positionals
  const [help, list] = [rest.help === true, rest.list === true]
  if (url === null && !help && !list) throw new CommandError(`the URL is missing\n${USAGE}`)
  if (more.length > 0) throw new CommandError(`expected one URL, got a second: ${more[0]}`)
  return {
    url,
    replay: file,
    token: rest.token ?? null,
    profiles: profile.map(parseProfile),
    only: only === undefined ? null : parseList(only),
    skip: parseList(rest.skip ?? []),
    types: rest.type === undefined ? null : parseList(rest.type),
    values: parsePairs('with', rest.with ?? [], /^([^=]+)=(.*)$/s),
    waivers: rest.waivers ?? null,
    credentials: parseCredentials(rest),
    readOnly: rest['read-only'] === true,
    hostile: rest.hostile === true,
    files: { html, junit, json },
    compare: rest.compare ?? null,
    limits: {
      ...(rate === undefined ? {} : { rate: parseLimit('rate', rate) }),
      ...(timeout === undefined ? {} : { timeout: parseLimit('timeout', timeout) }),
    },
    maxSkipped: parseCount('max-skipped', rest['max-skipped'] ?? '0'),
    list,
    yes: rest.yes === true,
    help,
  }
}

function parseList(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(',')).map((text) => text.trim())
}

/** Reads texts such as `userName=…` or `X-Tenant: 7` as names with values. */
function parsePairs(
  option: string,
  texts: readonly string[],
  pattern: RegExp,
): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const [, name, value] = pattern.exec(text) ?? []
    if (name === undefined || value === undefined) {
      throw new CommandError(`--${option}: ${text} is not a name with a value`)
    }
    return [name.trim(), value.trim()]
  })
  return Object.fromEntries(pairs)
}

type GivenOptions = { readonly [Name in CredentialOption]?: string | undefined } & {
  readonly header?: readonly string[] | undefined
}
type CredentialOption =
  | 'basic'
  | 'oauth-url'
  | 'oauth-client'
  | 'oauth-scope'
  | 'cert'
  | 'key'
  | 'ca'

function parseCredentials(given: GivenOptions): GivenCredentials {
  const { basic = null, header = [], cert, key, ca = null } = given
  const { 'oauth-url': url, 'oauth-client': client, 'oauth-scope': scope = null } = given
  if ((url === undefined) !== (client === undefined)) {
    throw new CommandError('--oauth-url and --oauth-client are given together')
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new CommandError('--cert and --key are given together')
  }
  return {
    basic,
    headers: parsePairs('header', header, /^([^:\s]+):(.*)$/s),
    oauth: url === undefined || client === undefined ? null : { url, client, scope },
    certificate: cert === undefined || key === undefined ? null : { cert, key, ca },
  }
}

function parseProfile(text: string): ProfileName {
  const name = PROFILE_NAMES.find((one) => one === text)
  if (name !== undefined) return name
  throw new CommandError(`--profile: ${text} is not one of ${PROFILE_NAMES.join(', ')}`)
}

function parseLimit(name: string, text: string): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0
  // A Node timer with a longer time fires immediately.
  if (value <= 0 || value >= 2 ** 31) {
    throw new CommandError(`--${name}: ${text} is not a number above 0`)
  }
  return value
}

function parseCount(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new CommandError(`--${name}: ${text} is not a whole number`)
}

const OPTIONS = {
  token: { type: 'string' },
  profile: { type: 'string', multiple: true },
  only: { type: 'string', multiple: true },
  skip: { type: 'string', multiple: true },
  type: { type: 'string', multiple: true },
  with: { type: 'string', multiple: true },
  waivers: { type: 'string' },
  basic: { type: 'string' },
  header: { type: 'string', multiple: true },
  'oauth-url': { type: 'string' },
  'oauth-client': { type: 'string' },
  'oauth-scope': { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  ca: { type: 'string' },
  'read-only': { type: 'boolean' },
  hostile: { type: 'boolean' },
  html: { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'string' },
  compare: { type: 'string' },
  rate: { type: 'string' },
  timeout: { type: 'string' },
  'max-skipped': { type: 'string' },
  list: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The command's usage. */
export const USAGE = `Usage: plumbline-doctor [options] <url>
       plumbline-doctor replay <run.json> [options] <url>

Examines a SCIM server by its base URL, such as http://localhost:3000/scim/v2. It creates resources whose names
contain a marker, and deletes them. With replay, it sends the recorded requests of a run and prints the answers that
differ; of the options, it uses those of credentials, --rate, --timeout and --yes.

  --token <token>         the bearer token; better in PLUMBLINE_DOCTOR_TOKEN, which is not in the list of processes
  --basic <user>          Basic authentication; the password is in PLUMBLINE_DOCTOR_PASSWORD, or after a colon
  --oauth-url, --oauth-client, --oauth-scope  the token comes from this URL by the client credentials of OAuth 2.0; the
                          secret is in PLUMBLINE_DOCTOR_CLIENT_SECRET
  --header <name: value>  another header of each request; can be repeated
  --cert, --key, --ca <file>  a client certificate, its key, and the authority of the server, as PEM
  --profile <name>        runs the checks of a profile, too: entra, okta, interop, ipsie-al1 or ipsie-al2; can be repeated
  --only <id>|<topic>|<§> only these checks and those that they need, such as filters or §3.5.2
  --skip <id>|<topic>|<§> not these checks
  --type <name>           only this resource type, such as User; can be repeated
  --with <path=value>     a value of each resource, such as userName=…@verified.example, where … is made unique
  --waivers <file>        findings that are accepted, as JSON: a list of { "id", "reason", "until": "2026-12-31" }
  --read-only             sends only GET requests and searches
  --hostile               sends what could take a server down, too: deep, long and many inputs; not with --read-only
  --yes                   does not ask before it writes to a server that has resources
  --html, --junit, --json <file>  writes the report in this format
  --compare <file>        shows the changes since an earlier report of --json
  --rate <n>              the maximum number of requests in a second; 20 by default
  --timeout <ms>          how long a response may take; 10000 by default
  --max-skipped <n>       how many checks may be unable to run before the exit code is 3; 0 by default
  --list                  lists the checks
  --help                  prints this text

Exit codes: 0 no check of the level MUST or defined failed, 1 one did, 2 the server could not be examined, 3 no such
check failed, and more checks than --max-skipped could not run.
`
