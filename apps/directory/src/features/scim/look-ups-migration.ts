import type { SqlDialect } from '../../kernel/store/store.ts'

/**
 * Ends each lookup index in the rows' key. An index without that key is not used for `order by id limit 8` unless the
 * database has statistics: the planner then reads the whole tenant through the primary key.
 */
export function endIndexesInKeys({ renewEarly }: SqlDialect): readonly string[] {
  return [
    ...LOOKUPS.flatMap(([index, table, columns]) => [
      `drop index ${index}`,
      `create index ${index} on ${table} (${columns})`,
    ]),
    ...LARGE.flatMap((table) => renewEarly(table) ?? []),
  ]
}

const LOOKUPS: readonly (readonly [index: string, table: string, columns: string])[] = [
  ['users_by_external_id', 'users', 'tenant_id, external_id, id'],
  ['users_by_display_name', 'users', 'tenant_id, display_name_key, id'],
  ['users_by_family_name', 'users', 'tenant_id, family_name_key, id'],
  ['users_by_employee_number', 'users', 'tenant_id, employee_number_key, id'],
  ['groups_by_external_id', 'groups', 'tenant_id, external_id, id'],
  ['tokens_by_tenant', 'tokens', 'tenant_id, id'],
  ['revoked_tokens_by_tenant', 'revoked_tokens', 'tenant_id, id'],
  ['setup_links_by_tenant', 'setup_links', 'tenant_id, id'],
]
/** The tables in which a tenant may have many rows. */
const LARGE = ['users', 'user_values', 'groups', 'group_members', 'requests', 'changes']
