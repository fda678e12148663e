import { failure, type Result, success } from '@plumbline/result'

/** Where the directory keeps its data. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** What the environment says. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly database: DatabaseLocation
  /** The origin by which clients know the server, such as that of a proxy before it; null for that of each request. */
  readonly publicOrigin: string | null
  /** A token that is accepted beside those in the database; null for none. */
  readonly token: string | null
}

/** A variable of the environment that cannot be used. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError'
}

/** The variables, with their defaults, as `npm start -- --help` lists them. */
export const VARIABLES: readonly (readonly [name: string, byDefault: string, meaning: string])[] = [
  ['PORT', '3000', 'the port to listen on, 0 for any that is free'],
  ['HOST', '127.0.0.1', 'the address to listen on'],
  [
    'DATABASE_URL',
    'file:data/directory.db',
    'file:<path> for SQLite, postgres://user:password@host/name for PostgreSQL',
  ],
  [
    'PUBLIC_URL',
    'none',
    'where clients reach the server behind a proxy, such as https://directory.example.com',
  ],
  ['DIRECTORY_TOKEN', 'none', 'an administrator token to accept, 16 characters or more'],
]

/** Reads the environment; every variable has a default. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
): Result<Config, ConfigError> {
  const port = env.PORT || '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return failure(new ConfigError(`PORT must be 0 to 65535, not ${port}`))
  }
  const database = readDatabase(env.DATABASE_URL || 'file:data/directory.db')
  if (database === null) {
    return failure(new ConfigError('DATABASE_URL must be file:<path> or postgres://…'))
  }
  const publicOrigin = env.PUBLIC_URL ? originOf(env.PUBLIC_URL) : null
  if (env.PUBLIC_URL && publicOrigin === null) {
    return failure(
      new ConfigError('PUBLIC_URL must be http:// or https:// with a host, and no path behind it'),
    )
  }
  const token = env.DIRECTORY_TOKEN || null
  if (token !== null && !/^[\w.~+/=-]{16,}$/.test(token)) {
    return failure(
      new ConfigError(
        "DIRECTORY_TOKEN must be 16 characters or more of letters, digits and '-._~+/='",
      ),
    )
  }
  const host = env.HOST || '127.0.0.1'
  return success({ host, port: Number(port), database, publicOrigin, token })
}

function originOf(url: string): string | null {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return null
  const { origin, href } = new URL(url)
  return href === `${origin}/` ? origin : null
}

function readDatabase(url: string): DatabaseLocation | null {
  if (url.startsWith('file:')) {
    const path = url.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
    return path === '' ? null : { kind: 'sqlite', path }
  }
  const isPostgres = /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)
  return isPostgres ? { kind: 'postgres', url } : null
}
