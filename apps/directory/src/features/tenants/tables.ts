import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import type { Layout } from '../../kernel/store/engines/engine.ts'
import type { TenantTable } from '../../kernel/store/tenant-rows.ts'

/** Every table with a column `tenant_id`. A row is deleted before the rows it refers to. */
export const TENANT_TABLES: readonly TenantTable[] = [
  { name: 'tokens', key: ['id'] },
  { name: 'revoked_tokens', key: ['id'] },
  { name: 'clients', key: ['id'] },
  { name: 'setup_links', key: ['id'] },
  { name: 'extension_schemas', key: ['urn_key'] },
  { name: 'schema_versions', key: ['tenant_id'] },
  ...RESOURCE_TYPES.toReversed().flatMap(({ table, partTables = [] }) => [
    ...partTables,
    { name: table, key: ['id'] },
  ]),
  { name: 'requests', key: ['id'] },
  { name: 'request_sizes', key: ['tenant_id'] },
  { name: 'webhooks', key: ['id'] },
  { name: 'deliveries', key: ['webhook_id', 'id'] },
  { name: 'changes', key: ['position'] },
  { name: 'change_feeds', key: ['tenant_id'] },
  { name: 'recorded_requests', key: ['recording_id', 'position'] },
  { name: 'recordings', key: ['id'] },
]

/** The table layout on a cluster, such as Citus. */
export const LAYOUT: Layout = {
  coordinator: [
    'tokens',
    'revoked_tokens',
    'clients',
    'setup_links',
    'sessions',
    'used_assertions',
    'settings',
    'leases',
    'recordings',
    'recorded_requests',
  ],
  // Rows of distributed tables refer to tenants. Schemas are written rarely.
  references: ['tenants', 'schema_versions', 'extension_schemas'],
  distributed: [
    ...RESOURCE_TYPES.flatMap(({ table, partTables = [] }) => [
      table,
      ...partTables.map(({ name }) => name),
    ]),
    'requests',
    'request_sizes',
    'changes',
    'change_feeds',
    'webhooks',
    'deliveries',
  ],
  parts: RESOURCE_TYPES.flatMap(({ table: owner, partTables = [] }) =>
    partTables.map(({ name, key: [column = ''] }) => ({ table: name, column, owner })),
  ),
}
