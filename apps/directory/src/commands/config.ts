import { failure, isFailure, type Result, success } from '@plumbline/result'
import { isAllowEntry } from '../features/webhooks/addresses.ts'
import type { ClientLimitOptions } from '../kernel/rate-limit/client-limits.ts'
import { RATE_LIMIT_VARIABLES, readRateLimit } from '../kernel/rate-limit/settings.ts'
import { ENGINES } from '../kernel/store/engines/engines.ts'
import { findEngine } from '../kernel/store/open.ts'
import { LOG_LEVELS, type LogLevel } from '../shell/observe/log-level.ts'
import { type Environment, readSecretFiles, SECRETS } from './secret-files.ts'

/** The configuration read from the environment. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The database URL, in a form one engine accepts. */
  readonly database: string
  /** The server's origin for clients, such as a proxy's; null for each request's origin. */
  readonly publicOrigin: string | null
  /** A token accepted in addition to those in the database, or null. */
  readonly token: string | null
  /** The file with the token; null if not set. */
  readonly tokenFile: string | null
  /** Log entries below this level are not written. */
  readonly logLevel: LogLevel
  /** Whether a start introduces itself in text or as a log entry; null if that depends on the terminal. */
  readonly greeting: 'text' | 'json' | null
  /** How many requests the provisioning log keeps; zero rows if it is off. */
  readonly requestLog: { readonly days: number; readonly rows: number; readonly bytes: number }
  /** How many changes are kept per tenant. */
  readonly changes: { readonly days: number; readonly bytes: number }
  /** Names, addresses and ranges permitted for webhook receivers although they are private. */
  readonly webhookAllow: readonly string[]
  /** The rate limits for clients; null if they are off. */
  readonly rateLimit: Omit<ClientLimitOptions, 'now'> | null
}

/** Thrown if an environment variable is not valid. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError'
}

/** The database used without a `DATABASE_URL`. */
export const DEFAULT_DATABASE = 'file:data/directory.db'

/** The variables, with their defaults, as `npm start -- --help` lists them. */
export const VARIABLES: readonly (readonly [name: string, byDefault: string, meaning: string])[] = [
  ['PORT', '3000', 'the port to listen on; 0 for any free port'],
  ['HOST', '127.0.0.1', 'the address to listen on'],
  [
    'DATABASE_URL',
    DEFAULT_DATABASE,
    ENGINES.map(({ name, form }) => `${form.long} for ${name}`).join(', '),
  ],
  [
    'PUBLIC_URL',
    'none',
    'the origin at which clients reach a server behind a proxy, such as https://directory.example.com',
  ],
  ['DIRECTORY_TOKEN', 'none', "an administrator's token to accept, at least 16 characters"],
  ...SECRETS.map(
    (name) => [`${name}_FILE`, 'none', `a file that contains ${name}, instead of it`] as const,
  ),
  [
    'REQUEST_LOG_DAYS',
    '30',
    'how many days the provisioning log keeps a request, and a tenant a recording',
  ],
  [
    'REQUEST_LOG_ROWS',
    '100000',
    'how many requests of each tenant the provisioning log keeps; 0 turns it off',
  ],
  [
    'REQUEST_LOG_MEGABYTES',
    '256',
    'how many megabytes (2^20 bytes) of requests of each tenant the provisioning log keeps',
  ],
  ['CHANGE_DAYS', '30', 'how many days the changes of a tenant are kept for its consumers'],
  [
    'CHANGE_MEGABYTES',
    '1024',
    'how many megabytes (2^20 bytes) of changes of each tenant are kept',
  ],
  [
    'WEBHOOK_ALLOW',
    'none',
    'hosts, addresses and ranges in private networks that may receive webhooks, such as hooks.internal,10.1.0.0/16',
  ],
  [
    'LOG_LEVEL',
    'info',
    'the lowest level of log entries: debug (also probes that succeed), info (each request), warn or error',
  ],
  [
    'GREETING',
    'text on a terminal, otherwise json',
    'how a start prints its addresses: text, or json like the log',
  ],
  ...RATE_LIMIT_VARIABLES,
]

/** Reads the environment and the secret files it names; every variable has a default. */
export function readConfig(variables: Environment): Result<Config, ConfigError> {
  const read = readSecretFiles(variables)
  if (isFailure(read)) return failure(new ConfigError(read.error.message))
  try {
    return success(parseConfig(read.data))
  } catch (error) {
    if (error instanceof ConfigError) return failure(error)
    throw error
  }
}

function parseConfig(env: Environment): Config {
  const host = env.HOST || '127.0.0.1'
  const rateLimit = readRateLimit(env, host)
  const config = {
    host,
    port: parsePort(env.PORT || '3000'),
    database: parseDatabase(env.DATABASE_URL || DEFAULT_DATABASE),
    publicOrigin: env.PUBLIC_URL ? parseOrigin(env.PUBLIC_URL) : null,
    token: env.DIRECTORY_TOKEN ? parseToken(env.DIRECTORY_TOKEN) : null,
    tokenFile: env.DIRECTORY_TOKEN_FILE || null,
    requestLog: {
      days: parseCount(env, 'REQUEST_LOG_DAYS', '30', 1),
      rows: parseCount(env, 'REQUEST_LOG_ROWS', '100000', 0),
      bytes: parseCount(env, 'REQUEST_LOG_MEGABYTES', '256', 1) * 2 ** 20,
    },
    changes: {
      days: parseCount(env, 'CHANGE_DAYS', '30', 4),
      bytes: parseCount(env, 'CHANGE_MEGABYTES', '1024', 1) * 2 ** 20,
    },
    webhookAllow: parseAllowed(env.WEBHOOK_ALLOW || ''),
    logLevel: parseChoice(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    greeting: parseChoice(env, 'GREETING', ['text', 'json'] as const),
  }
  if (typeof rateLimit === 'string') throw new ConfigError(rateLimit)
  return { ...config, rateLimit }
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new ConfigError(`PORT must be between 0 and 65535, not ${text}`)
}

function parseDatabase(url: string): string {
  if (findEngine(url) !== null) return url
  const forms = ENGINES.map(({ form }) => form.short).join(' or ')
  throw new ConfigError(`DATABASE_URL must be ${forms}`)
}

function parseOrigin(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) {
    const { origin, href } = new URL(url)
    if (href === `${origin}/`) return origin
  }
  const form = 'an http:// or https:// URL with a host and without a path'
  throw new ConfigError(`PUBLIC_URL must be ${form}`)
}

function parseToken(text: string): string {
  if (/^[\w.~+/=-]{16,}$/.test(text)) return text
  const form = "at least 16 characters, each a letter, a digit or one of '-._~+/='"
  throw new ConfigError(`DIRECTORY_TOKEN must have ${form}`)
}

function parseAllowed(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  const allowed = entries.filter((entry) => entry !== '')
  const wrong = allowed.find((entry) => !isAllowEntry(entry))
  if (wrong === undefined) return allowed
  throw new ConfigError(`WEBHOOK_ALLOW must list hosts, addresses or ranges, not ${wrong}`)
}

function parseChoice<Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const text = env[name]
  if (!text) return null
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new ConfigError(`${name} must be ${choices.join(', ')}, not ${text}`)
}

function parseCount(env: Environment, name: string, missing: string, least: number): number {
  const text = env[name] || missing
  const count = /^\d{1,8}$/.test(text) ? Number(text) : -1
  if (count >= least && count <= MAX_VALUE) return count
  throw new ConfigError(`${name} must be a whole number between ${least} and ${MAX_VALUE}`)
}

const MAX_VALUE = 10_000_000
