import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** The bare driver of a database. */
export interface Bare {
  /** Prepares a statement with the parameters `$1`, `$2`. */
  prepare(text: string): (...values: string[]) => unknown
  close(): Promise<void>
}

/** Opens the database of a `DATABASE_URL` with only its driver. */
export async function openBare(url: string): Promise<Bare> {
  return url.startsWith('file:') ? bareSqlite(url.slice('file:'.length)) : await barePostgres(url)
}

function bareSqlite(path: string): Bare {
  const database = new DatabaseSync(path, { readOnly: true })
  return {
    prepare: (text) => {
      const statement = database.prepare(text.replace(/\$\d/g, '?'))
      return (...values) => statement.all(...values)
    },
    close: async () => database.close(),
  }
}

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

/** The statement for the groups of a user. */
export const GROUPS_OF = `select groups.id, groups.display_name from group_members
  join groups on groups.tenant_id = group_members.tenant_id and groups.id = group_members.group_id
  where group_members.tenant_id = $1 and group_members.member_id = $2`
