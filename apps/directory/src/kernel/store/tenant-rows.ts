import { type Fragment, raw, sql } from '@plumbline/scim/internal'

/** A table with tenant data, and the columns that identify a row in its tenant. */
export interface TenantTable {
  readonly name: string
  readonly key: readonly string[]
}

/**
 * A tenant's rows in a table, as the source of a `select`; more conditions follow with `and`.
 *
 * Each `select` in a statement names the tenant with a separate parameter. A distributed database would send
 * `tenant_id = outer.tenant_id` to every node, and reject the statement while a node is down.
 */
export function rowsOf(tenantId: string, table: string, alias = table): Fragment {
  const source = raw(alias === table ? table : `${table} ${alias}`)
  return sql`${source} where ${ofTenant(tenantId, alias)}`
}

/** The condition that selects a tenant's rows. */
export function ofTenant(tenantId: string, alias: string): Fragment {
  return sql`${raw(`${alias}.tenant_id`)} = ${tenantId}`
}
