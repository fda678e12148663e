import type { SqlDialect } from '../../kernel/store/store.ts'

/** Creates the tables for tenants and for their tokens. */
export function createTenants({ text }: SqlDialect): readonly string[] {
  return [
    `create table tenants (
      id ${text} primary key,
      name ${text} not null,
      created_at bigint not null
    )`,
    `create table tokens (
      id ${text} primary key,
      tenant_id ${text} not null references tenants (id),
      name ${text} not null,
      hash ${text} not null,
      role ${text} not null,
      profile ${text} not null,
      user_id ${text},
      created_at bigint not null,
      last_used_at bigint
    )`,
    'create index tokens_by_tenant on tokens (tenant_id)',
  ]
}

/** Allows tenants to be disabled and deleted. */
export function extendTenants(): readonly string[] {
  return [
    'alter table tenants add column disabled_at bigint',
    'alter table tenants add column deleted_at bigint',
    'create index tenants_by_creation on tenants (created_at, id)',
    // A tenant deletion finds the rows through an index.
    'create index revoked_tokens_by_tenant on revoked_tokens (tenant_id)',
  ]
}
