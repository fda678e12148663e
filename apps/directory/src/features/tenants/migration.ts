/** Allows tenants to be disabled and deleted. */
export function extendTenants(): readonly string[] {
  return [
    'alter table tenants add column disabled_at bigint',
    'alter table tenants add column deleted_at bigint',
    'create index tenants_by_creation on tenants (created_at, id)',
    // A tenant deletion finds its rows by an index.
    'create index revoked_tokens_by_tenant on revoked_tokens (tenant_id)',
  ]
}
