import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** A database's bare driver. */
export interface Bare {
  /** Prepares a statement with the parameters `$1`, `$2`. */
  prepare(text: string): (...values: Value[]) => unknown
  close(): Promise<void>
}

/** A parameter value. */
export type Value = string | number | null

/** Opens the database at a `DATABASE_URL` with only the driver, to read, or to write as durably as the server. */
export async function openBare(
  url: string,
  { readOnly = true }: { readonly readOnly?: boolean } = {},
): Promise<Bare> {
  return url.startsWith('file:')
    ? bareSqlite(url.slice('file:'.length), readOnly)
    : await barePostgres(url)
}

function bareSqlite(path: string, readOnly: boolean): Bare {
  const database = new DatabaseSync(path, { readOnly })
  if (!readOnly) database.exec('pragma synchronous = full; pragma foreign_keys = on')
  return {
    prepare: (text) => {
      const statement = database.prepare(text.replace(/\$\d+/g, '?'))
      return (...values) => statement.all(...values)
    },
    close: async () => database.close(),
  }
}

/** Reads from PostgreSQL as the server does: in one transaction with a time limit, on a pooled connection. */
export function openTransactions(
  url: string,
): <Result>(work: (prepare: Bare['prepare']) => Promise<Result>) => Promise<Result> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    pipeline: true,
  } as pg.PoolConfig)
  const names = new Map<string, string>()
  return async (work) => {
    const client = await pool.connect()
    const begun = client.query(BEGIN)
    const result = await work((text) => {
      const name = names.get(text) ?? `bare_${names.size}`
      names.set(text, name)
      return async (...values) => (await client.query({ name, text, values })).rows
    })
    await begun
    void client.query('commit').then(() => client.release())
    return result
  }
}

/** The same number as the server uses for look-ups. */
const CONNECTIONS = 10
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = 30000`

async function barePostgres(url: string): Promise<Bare> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let count = 0
  return {
    prepare: (text) => {
      count += 1
      const name = `bare_${count}`
      return async (...values) => (await client.query({ name, text, values })).rows
    },
    close: () => client.end(),
  }
}

/** The statement for a user's groups. */
export const GROUPS_OF = `select groups.id, groups.display_name from group_members
  join groups on groups.tenant_id = group_members.tenant_id and groups.id = group_members.group_id
  where group_members.tenant_id = $1 and group_members.member_id = $2`
