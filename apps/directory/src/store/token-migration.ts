/**
 * An administrator's token belongs to no tenant. One of the default tenant was made without naming a
 * tenant; one of another tenant administers no others from now on.
 */
export function freeAdministrators(dialect: string): readonly string[] {
  const rule = `check ((role = 'admin') = (tenant_id is null))`
  const demote = `update tokens set role = 'client' where role = 'admin' and tenant_id <> 'default'`
  if (dialect === 'postgres') {
    return [
      'alter table tokens alter column tenant_id drop not null',
      demote,
      `update tokens set tenant_id = null where role = 'admin'`,
      `alter table tokens add constraint tokens_of_administrators ${rule}`,
    ]
  }
  const nullable = `case role when 'admin' then null else tenant_id end`
  return [demote, ...copyTokens(`text references tenants (id)`, nullable, `, ${rule}`)]
}

/** The inverse of `freeAdministrators`. */
export function bindAdministrators(dialect: string): readonly string[] {
  if (dialect === 'postgres') {
    return [
      'alter table tokens drop constraint tokens_of_administrators',
      `update tokens set tenant_id = 'default' where tenant_id is null`,
      'alter table tokens alter column tenant_id set not null',
    ]
  }
  return copyTokens('text not null references tenants (id)', `coalesce(tenant_id, 'default')`, '')
}

/** SQLite changes no column of a table: the rows are copied into another. */
function copyTokens(tenantType: string, tenantId: string, rule: string): readonly string[] {
  return [
    `create table tokens_copy (
      id text primary key,
      tenant_id ${tenantType},
      name text not null,
      hash text not null,
      role text not null,
      profile text not null,
      user_id text,
      created_at bigint not null,
      last_used_at bigint${rule}
    )`,
    `insert into tokens_copy select id, ${tenantId}, name, hash, role, profile, user_id, created_at,
      last_used_at from tokens`,
    'drop table tokens',
    'alter table tokens_copy rename to tokens',
    'create index tokens_by_tenant on tokens (tenant_id)',
  ]
}
