import { fstatSync } from 'node:fs'
import { SCIM_PATH } from '../kernel/requests/scim-path.ts'
import { describeDatabase } from '../kernel/store/open.ts'
import { TYPED } from '../kernel/typed-commands.ts'
import { VERSION } from '../kernel/version.ts'
import { type Config, DEFAULT_DATABASE } from './config.ts'

/** The facts a start prints. */
export interface Greeting extends Pick<Config, 'database' | 'tokenFile'> {
  readonly origin: string
  /** The token this start created; null without one. */
  readonly newToken: string | null
  /** Whether `DIRECTORY_TOKEN` is set. The value is never printed. */
  readonly isTokenSet: boolean
  /** Whether the lines are in a service's journal, whose database other users cannot open. */
  readonly isService: boolean
}

/** Whether a process writes to systemd's journal. Terminals inherit the variable from their own service. */
export function isInJournal({ JOURNAL_STREAM }: Readonly<Record<string, string | undefined>>) {
  if (!JOURNAL_STREAM) return false
  const { dev, ino } = fstatSync(process.stdout.fd)
  return JOURNAL_STREAM === `${dev}:${ino}`
}

/** Returns the lines a start prints: addresses, the token if it is new, and commands to paste into another terminal. */
export function greet(greeting: Greeting): string {
  const { origin, isService } = greeting
  return `
Plumbline Directory, a SCIM 2.0 server

SCIM       ${origin}${SCIM_PATH}
Console    ${origin}/console
Document   ${origin}/openapi.json
Token      ${describeToken(greeting)}
${isService ? '' : commandsOf(greeting)}`
}

/** Returns the same facts as one log entry, for a log that is collected. */
export function greetAsEntry(
  { origin, newToken, database }: Pick<Greeting, 'origin' | 'newToken' | 'database'>,
  time: number,
): string {
  return JSON.stringify({
    time: new Date(time).toISOString(),
    level: 'info',
    message: 'listening',
    version: VERSION,
    scim: `${origin}${SCIM_PATH}`,
    console: `${origin}/console`,
    document: `${origin}/openapi.json`,
    database: describeDatabase(database),
    // It is shown only once: the directory stores its hash.
    ...(newToken === null ? {} : { token: newToken }),
  })
}

function describeToken({ newToken, isTokenSet, tokenFile, isService }: Greeting): string {
  if (newToken !== null) return `${newToken}   (shown only once: the directory stores its hash)`
  if (isTokenSet) return tokenFile === null ? 'the value of DIRECTORY_TOKEN' : `in ${tokenFile}`
  return `shown at the first start${isService ? '' : '; the lines below create another'}`
}

function commandsOf({ origin, database, newToken, isTokenSet, tokenFile }: Greeting): string {
  const setting = settingOf(database)
  const where = setting === null ? ', in a shell with the same DATABASE_URL' : ''
  const isStored = newToken === null && !isTokenSet
  const create = isStored ? `TOKEN=$(${setting ?? ''}${TYPED.silent} --token)\n` : ''
  const set = tokenFile === null ? '$DIRECTORY_TOKEN' : `$(cat ${quote(tokenFile)})`
  const bearer = `Authorization: Bearer ${newToken ?? (isTokenSet ? set : '$TOKEN')}`
  return `
Add 1,000 sample users and 10 groups${where}:

${setting ?? ''}${TYPED.seed}

Show users${isStored ? where : ''}:

${create}curl -H ${newToken === null ? `"${bearer}"` : `'${bearer}'`} '${origin}${SCIM_PATH}/Users?count=10'
`
}

/**
 * Returns the setting other commands need to use the same database; null if it may contain a password and is
 * not printed.
 */
function settingOf(database: string): string | null {
  if (database === DEFAULT_DATABASE) return ''
  return database.startsWith('file:') ? `DATABASE_URL=${quote(database)} ` : null
}

/** Quotes a string as one shell word. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
