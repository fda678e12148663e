import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './dist/client/client.ts'

/** The migration of `schema.prisma`. Only `external_id` and the index of usernames were added for SCIM. */
const MIGRATION = `
create table accounts (
  id bigserial primary key,
  username text not null,
  email text,
  given_name text,
  family_name text,
  is_enabled boolean not null default true,
  external_id text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create unique index accounts_username on accounts (lower(username collate "C"));
create table teams (
  id bigserial primary key,
  name text not null,
  external_id text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create table team_members (
  team_id bigint not null references teams on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  primary key (team_id, account_id)
);`

/** A database with its Prisma client. */
export interface Opened {
  readonly db: PrismaClient
  close(): Promise<void>
}

/** PostgreSQL in this process, which Prisma connects to like a server. */
export async function openDatabase(): Promise<Opened> {
  const pglite = new PGlite()
  await pglite.exec(MIGRATION)
  const server = new PGLiteSocketServer({ db: pglite, host: '127.0.0.1', port: 0 })
  await server.start()
  const connectionString = `postgres://postgres@${server.getServerConn()}/postgres`
  const db = new PrismaClient({ adapter: new PrismaPg({ connectionString, max: 1 }) })
  const close = async () => {
    await db.$disconnect()
    await server.stop()
    await pglite.close()
  }
  return { db, close }
}
