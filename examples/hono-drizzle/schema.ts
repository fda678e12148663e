import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'

// The tables of an application. `externalId` and `emailKey` were added for SCIM. The key is the folded email: the lower()
// of SQLite folds ASCII only.

const id = () => text('id').primaryKey().$defaultFn(randomUUID)
const now = () => new Date().toISOString()
const times = () => ({
  createdAt: text('created_at').notNull().$defaultFn(now),
  updatedAt: text('updated_at').notNull().$defaultFn(now).$onUpdateFn(now),
})

export const users = sqliteTable('users', {
  id: id(),
  email: text('email').notNull(),
  emailKey: text('email_key').notNull().unique(),
  fullName: text('full_name'),
  status: text('status', { enum: ['active', 'suspended'] }).notNull(),
  externalId: text('external_id'),
  ...times(),
})

export const teams = sqliteTable('teams', {
  id: id(),
  name: text('name').notNull(),
  externalId: text('external_id'),
  ...times(),
})

export const teamUsers = sqliteTable(
  'team_users',
  { teamId: text('team_id').notNull(), value: text('user_id').notNull() },
  ({ teamId, value }) => [primaryKey({ columns: [teamId, value] })],
)

const SCHEMA = `
create table users (id text primary key, email text not null, email_key text not null unique,
  full_name text, status text not null, external_id text, created_at text not null, updated_at text not null);
create table teams (id text primary key, name text not null, external_id text,
  created_at text not null, updated_at text not null);
create table team_users (team_id text not null references teams on delete cascade,
  user_id text not null references users on delete cascade, primary key (team_id, user_id));`

export type Database = SqliteRemoteDatabase

/** Drizzle over `node:sqlite`. */
export function openDatabase(path = ':memory:'): Database {
  const sqlite = new DatabaseSync(path)
  sqlite.exec(SCHEMA)
  return drizzle(async (sql, parameters, method) => {
    const statement = sqlite.prepare(sql)
    if (method === 'run') {
      statement.run(...parameters)
      return { rows: [] }
    }
    statement.setReturnArrays(true)
    const rows = statement.all(...parameters)
    return { rows: method === 'get' ? (rows[0] as unknown as unknown[]) : rows }
  })
}

/** Runs transactions one after another, because the database has one connection. */
export function createTransaction(db: Database) {
  let last: Promise<unknown> = Promise.resolve()
  return <Context, Value>(context: Context, work: (context: Context) => Promise<Value>) => {
    const turn = last.then(() => db.transaction(() => work(context)))
    last = turn.catch(() => undefined)
    return turn
  }
}
