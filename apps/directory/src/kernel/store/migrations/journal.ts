import { type Fragment, raw, sql } from '@plumbline/scim/internal'
import { type Database, readRows } from '../database.ts'
import type { SqlDialect } from '../store.ts'

/** A migration in the journal of a database. */
export interface JournalRow {
  readonly id: string
  /** 0 while a migration with several transactions runs, or after it was interrupted; 1 if it is done. */
  readonly batch: number
}

/** Reads the migrations that were applied or begun. */
export async function readJournal(db: Database): Promise<readonly JournalRow[]> {
  return await readRows(db, sql`select id, batch from migrations`)
}

/** The ids of the migrations that are done. */
export function doneIn(journal: readonly JournalRow[]): ReadonlySet<string> {
  return new Set(journal.filter(({ batch }) => batch !== BEGUN).map(({ id }) => id))
}

/** Inserts a migration, unless an interrupted run or another process has done so. */
export function recordMigration(
  { id, name, isDone }: { readonly id: string; readonly name: string; readonly isDone: boolean },
  { skipExisting }: SqlDialect,
): Fragment {
  return sql`insert into migrations (id, name, checksum, batch)
    values (${id}, ${name}, ${`${id}:${name}`}, ${isDone ? 1 : BEGUN})
    ${raw(isDone ? '' : skipExisting(['id']))}`
}

/** Marks a begun migration as done. */
export function completeMigration(id: string): Fragment {
  return sql`update migrations set batch = 1 where id = ${id}`
}

/** Selects the newest migration, done or begun. */
export const NEWEST_MIGRATION = 'select id, batch from migrations order by id desc limit 1'

/** The value of `batch` for a migration that is not done. */
export const BEGUN = 0

/** The table of migrations. Earlier versions have created it with these columns. */
export const CREATE_JOURNAL: Fragment = sql`create table if not exists migrations (
  id varchar(64) not null primary key,
  name varchar(255) not null,
  checksum varchar(128) not null,
  batch integer not null,
  applied_at timestamp not null default current_timestamp
)`
