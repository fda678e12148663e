import type { SqlDialect } from '../../kernel/store/store.ts'

/**
 * Detaches administrators' tokens from tenants. The default tenant's administrator tokens were created without
 * a tenant, and keep their role. Another tenant's administrator tokens become client tokens.
 */
export function freeAdministrators({ dropNotNull }: SqlDialect): readonly string[] {
  const demote = `update tokens set role = 'client' where role = 'admin' and tenant_id <> 'default'`
  if (dropNotNull !== null) {
    return [
      dropNotNull('tokens', 'tenant_id'),
      demote,
      `update tokens set tenant_id = null where role = 'admin'`,
      `alter table tokens add constraint tokens_of_administrators ${RULE}`,
    ]
  }
  // The rows are copied into a new table without the column's constraint.
  return [
    demote,
    `create table tokens_copy (
      id text primary key,
      tenant_id text references tenants (id),
      name text not null,
      hash text not null,
      role text not null,
      profile text not null,
      user_id text,
      created_at bigint not null,
      last_used_at bigint,
      ${RULE}
    )`,
    `insert into tokens_copy
      select id, case role when 'admin' then null else tenant_id end, name, hash, role, profile,
        user_id, created_at, last_used_at from tokens`,
    'drop table tokens',
    'alter table tokens_copy rename to tokens',
    'create index tokens_by_tenant on tokens (tenant_id)',
  ]
}

/**
 * Adds the expiry, access and rotation of tokens. A replaced token expires earlier: the lifetime (ms) is the one it was
 * created with. At most one token replaces another.
 */
export function addTokenExpiry({ text }: SqlDialect): readonly string[] {
  return [
    'alter table tokens add column expires_at bigint',
    'alter table tokens add column lifetime bigint',
    `alter table tokens add column access ${text} not null default 'write'`,
    `alter table tokens add column replaces ${text}`,
    'create unique index tokens_by_replaced on tokens (replaces)',
  ]
}

const RULE = `check ((role = 'admin') = (tenant_id is null))`
