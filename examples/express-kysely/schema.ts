import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'

/** The tables of an application. Only `external_id` and the index of emails were added for SCIM. */
const SCHEMA = `
create table accounts (
  id bigint generated always as identity primary key,
  username text not null,
  email text,
  given text,
  surname text,
  is_enabled boolean not null default true,
  external_id text,
  created timestamptz not null default now(),
  modified timestamptz not null default now()
);
create unique index accounts_by_username on accounts (lower(username collate "C"));
create table teams (
  id bigint generated always as identity primary key,
  name text not null,
  external_id text
);
create table team_members (
  team_id bigint not null references teams on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  primary key (team_id, account_id)
);`

export interface Tables {
  accounts: { username: string; is_enabled: boolean }
}

/** PostgreSQL in this process. */
export async function openDatabase(): Promise<Kysely<Tables>> {
  const pglite = new PGlite()
  await pglite.exec(SCHEMA)
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
}
