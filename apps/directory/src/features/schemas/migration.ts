import type { SqlDialect } from '../../kernel/store/store.ts'

/**
 * Adds tenants' extension schemas. A tenant has a version once it has registered a schema. A resource's
 * extensions are in a separate column, which other tenants do not read.
 */
export function addExtensions({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table schema_versions (
      tenant_id ${text} primary key references tenants (id) on delete cascade,
      version bigint not null,
      created_at bigint not null
    )`,
    `create table extension_schemas (
      tenant_id ${text} not null references tenants (id) on delete cascade,
      urn_key ${text} not null,
      extension ${document} not null,
      created_at bigint not null,
      primary key (tenant_id, urn_key)
    )`,
    ...['users', 'groups'].flatMap((table) => [
      `alter table ${table} add column extensions ${document}`,
      // A schema change searches only the resources with extensions.
      `create index ${table}_by_extensions on ${table} (tenant_id, id)
        where extensions is not null`,
    ]),
  ]
}
