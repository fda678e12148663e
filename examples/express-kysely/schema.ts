import { createHash } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { type Generated, Kysely, PGliteDialect } from 'kysely'

/**
 * The tables of an application with several organizations. Only `scim_token_hash`, `external_id`, the index of user names,
 * and the columns `user_id` and `is_active` of accounts were added for SCIM.
 */
const SCHEMA = `
create table organizations (
  id bigint generated always as identity primary key,
  name text not null,
  scim_token_hash text unique
);
create table people (
  id bigint generated always as identity primary key,
  org_id bigint not null references organizations,
  username text not null,
  email text,
  given text,
  surname text,
  is_enabled boolean not null default true,
  external_id text,
  created timestamptz not null default now(),
  modified timestamptz not null default now()
);
create unique index people_by_username on people (org_id, lower(username collate "C"));
create table teams (
  id bigint generated always as identity primary key,
  org_id bigint not null references organizations,
  name text not null,
  external_id text,
  created timestamptz not null default now(),
  modified timestamptz not null default now()
);
create table team_members (
  team_id bigint not null references teams on delete cascade,
  person_id bigint not null references people on delete cascade,
  primary key (team_id, person_id)
);
create table accounts (
  id bigint generated always as identity primary key,
  org_id bigint not null references organizations,
  email text not null,
  is_verified boolean not null,
  user_id text unique,
  is_active boolean not null default true
);
create unique index accounts_by_email on accounts (org_id, lower(email collate "C"));
create table sessions (token text primary key, account_id bigint not null references accounts);
create index sessions_by_account on sessions (account_id);
create table role_groups (
  org_id bigint not null references organizations,
  group_name text not null,
  role text not null,
  primary key (org_id, group_name, role)
);
create table roles (
  account_id bigint not null references accounts,
  role text not null,
  group_id text not null,
  request_id text not null,
  primary key (account_id, role, group_id)
);`

export interface Tables {
  organizations: { id: Generated<number>; name: string; scim_token_hash: string | null }
  accounts: {
    id: Generated<number>
    org_id: number
    email: string
    is_verified: boolean
    /** The provisioned user that the account is linked to. */
    user_id: string | null
    /** False as long as its user is deactivated, and after the user was deleted. */
    is_active: Generated<boolean>
  }
  sessions: { token: string; account_id: number }
  /** The roles that an organization gives by its groups. */
  role_groups: { org_id: number; group_name: string; role: string }
  /** The roles of accounts, with the group and the request that gave them. */
  roles: { account_id: number; role: string; group_id: string; request_id: string }
}

/** Adds an organization. Its SCIM client has the token, of which only the hash is stored. */
export async function addOrganization(
  db: Kysely<Tables>,
  name: string,
  token: string,
): Promise<number> {
  const { id } = await db
    .insertInto('organizations')
    .values({ name, scim_token_hash: hashOf(token) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** PostgreSQL in this process. */
export async function openDatabase(): Promise<Kysely<Tables>> {
  const pglite = new PGlite()
  await pglite.exec(SCHEMA)
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
}
