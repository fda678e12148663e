import { DatabaseSync } from 'node:sqlite'

/**
 * The tables of an application. `external_id` was added for SCIM, and `login_key`, the folded login: the collations of
 * SQLite ignore the letter case of ASCII only.
 */
const SCHEMA = `
create table people (
  id integer primary key autoincrement,
  login text not null,
  login_key text not null unique,
  first_name text,
  last_name text,
  is_enabled integer not null default 1,
  external_id text,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
create table teams (
  id integer primary key autoincrement,
  title text not null,
  external_id text,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
create table team_people (
  team_id integer not null references teams on delete cascade,
  person_id integer not null references people on delete cascade,
  primary key (team_id, person_id)
) without rowid;`

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
