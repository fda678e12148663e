import { PGlite } from '@electric-sql/pglite'
import { type Generated, Kysely, PGliteDialect } from 'kysely'

/**
 * The tables of an application. Only `external_id`, the index of user names, and the columns `user_id` and `is_active` of
 * accounts were added for SCIM.
 */
const SCHEMA = `
create table people (
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
create unique index people_by_username on people (lower(username collate "C"));
create table teams (
  id bigint generated always as identity primary key,
  name text not null,
  external_id text
);
create table team_members (
  team_id bigint not null references teams on delete cascade,
  person_id bigint not null references people on delete cascade,
  primary key (team_id, person_id)
);
create table accounts (
  id bigint generated always as identity primary key,
  email text not null,
  is_verified boolean not null,
  user_id text unique,
  is_active boolean not null default true
);
create unique index accounts_by_email on accounts (lower(email collate "C"));
create table sessions (token text primary key, account_id bigint not null references accounts);
create index sessions_by_account on sessions (account_id);
create table roles (
  account_id bigint not null references accounts,
  role text not null,
  group_id text not null,
  request_id text not null,
  primary key (account_id, role, group_id)
);`

export interface Tables {
  accounts: {
    id: Generated<number>
    email: string
    is_verified: boolean
    /** The provisioned user that the account is linked to. */
    user_id: string | null
    /** False as long as its user is deactivated, and after the user was deleted. */
    is_active: Generated<boolean>
  }
  sessions: { token: string; account_id: number }
  /** The roles of accounts, with the group and the request that gave them. */
  roles: { account_id: number; role: string; group_id: string; request_id: string }
}

/** PostgreSQL in this process. */
export async function openDatabase(): Promise<Kysely<Tables>> {
  const pglite = new PGlite()
  await pglite.exec(SCHEMA)
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
}
