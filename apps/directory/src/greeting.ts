import { type Config, DEFAULT_DATABASE } from './config.ts'
import { SCIM_PATH } from './scim-path.ts'

/** The facts that a start prints. */
export interface Greeting extends Pick<Config, 'database'> {
  readonly origin: string
  /** The token that this start has created; null if it has created none. */
  readonly made: string | null
  /** Whether `DIRECTORY_TOKEN` is set. Its value is never printed. */
  readonly isTokenSet: boolean
}

/** The lines that a start prints: addresses, the token if it is new, and commands to paste into another terminal. */
export function greet({ origin, database, made, isTokenSet }: Greeting): string {
  const setting = settingOf(database)
  const where = setting === null ? ', in a shell with the same DATABASE_URL' : ''
  const kind = made !== null ? 'made' : isTokenSet ? 'set' : 'stored'
  const about = {
    made: `${made}   (shown only once: the directory stores its hash)`,
    set: 'the value of DIRECTORY_TOKEN',
    stored: 'shown at the first start; the lines below create another',
  }
  const bearer = {
    made: `'Authorization: Bearer ${made}'`,
    set: '"Authorization: Bearer $DIRECTORY_TOKEN"',
    stored: '"Authorization: Bearer $TOKEN"',
  }
  const create = kind === 'stored' ? `TOKEN=$(${setting ?? ''}npm start --silent -- --token)\n` : ''
  return `
Plumbline Directory, a SCIM 2.0 server

SCIM       ${origin}${SCIM_PATH}
Console    ${origin}/console
Document   ${origin}/openapi.json
Token      ${about[kind]}

Add 1,000 sample users and 10 groups${where}:

${setting ?? ''}npm run seed

Show users${kind === 'stored' ? where : ''}:

${create}curl -H ${bearer[kind]} '${origin}${SCIM_PATH}/Users?count=10'
`
}

/**
 * The setting that other commands need to use the same database; null if it may contain a password and is not
 * printed.
 */
function settingOf(database: string): string | null {
  if (database === DEFAULT_DATABASE) return ''
  if (!database.startsWith('file:')) return null
  return `DATABASE_URL='${database.replaceAll("'", "'\\''")}' `
}
