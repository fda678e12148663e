import { randomBytes } from 'node:crypto'
import { sql } from '@plumbline/scim/internal'
import type { Database } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'

/** Creates the table of OAuth clients. A secret is stored as a hash, and `revision` counts a client's secrets. */
export function createClientTable({ text }: SqlDialect): readonly string[] {
  return [
    `create table clients (
      id ${text} primary key,
      tenant_id ${text} not null references tenants (id),
      name ${text} not null,
      profile ${text} not null,
      access ${text} not null,
      user_id ${text},
      secret_hash ${text} not null,
      revision bigint not null,
      old_secret_hash ${text},
      old_secret_until bigint,
      created_at bigint not null,
      last_used_at bigint
    )`,
    'create index clients_by_tenant on clients (tenant_id, id)',
  ]
}

/**
 * Adds OAuth clients' public keys, as a JSON list, and the assertions they have used. Only hashes of the
 * assertion ids are stored, until they expire.
 */
export function addClientKeys({ text }: SqlDialect): readonly string[] {
  return [
    `alter table clients add column public_keys ${text}`,
    `create table used_assertions (
      client_id ${text} not null,
      id_hash ${text} not null,
      expires_at bigint not null,
      primary key (client_id, id_hash)
    )`,
    'create index used_assertions_by_expiry on used_assertions (expires_at)',
  ]
}

/** All processes share this key, so each accepts the others' access tokens. */
export async function createAccessTokenKey(db: Database): Promise<void> {
  const key = randomBytes(32).toString('base64url')
  await db.exec(sql`insert into settings (name, value) values (${'access_token_key'}, ${key})`)
}
