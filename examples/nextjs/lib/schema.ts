import { DatabaseSync } from 'node:sqlite'

/** The tables of an application. Only `okta_id` and the index of emails were added for SCIM. */
const SCHEMA = `
create table if not exists users (
  uuid text primary key,
  workspace_id integer not null,
  email text not null,
  full_name text,
  deactivated integer not null default 0,
  okta_id text,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
create unique index if not exists users_by_email on users (workspace_id, lower(email));
create table if not exists teams (
  uuid text primary key,
  workspace_id integer not null,
  name text not null,
  okta_id text,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
create table if not exists memberships (
  team_uuid text not null references teams on delete cascade,
  user_uuid text not null references users on delete cascade,
  primary key (team_uuid, user_uuid)
);`

export function openDatabase(path = ':memory:'): DatabaseSync {
  const db = new DatabaseSync(path)
  db.exec(SCHEMA)
  return db
}

/** Runs transactions one after another, because the database has one connection. */
export function createTransaction(db: DatabaseSync) {
  let last: Promise<unknown> = Promise.resolve()
  return <Context, Value>(context: Context, work: (context: Context) => Promise<Value>) => {
    const turn = last.then(async () => {
      db.exec('begin immediate')
      try {
        const value = await work(context)
        db.exec('commit')
        return value
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    })
    last = turn.catch(() => undefined)
    return turn
  }
}
