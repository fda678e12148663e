import type { Discovery } from '@plumbline/scim/discovery'
import type { Fragment } from '@plumbline/scim/internal'
import type { AttributeColumns } from '../attribute-columns.ts'
import type { WireResource } from '../list/list.ts'
import type { TenantScope } from '../scope.ts'

/** Resources stored as JSON, with copies of some attributes in columns. */
export interface JsonResources {
  readonly name: string
  readonly endpoint: string
  readonly definitions: Discovery.Definitions
  /** Has the columns `tenant_id`, `id`, `resource`, `version`, `created_at`, `last_modified` and those below. */
  readonly table: string
  readonly columns: AttributeColumns
  /** The database's sort columns for required attributes, keyed by attribute in lower case. */
  readonly sorted: Readonly<Record<string, string>>
  /** The definitions whose attributes are in the column `extensions`; none by default. */
  readonly extensions?: readonly Discovery.SchemaDefinition[]
  /** The attributes accepted from clients, but not stored. */
  readonly omitted: readonly string[]
  /** The table with the values of multi-valued attributes, for filters; none by default. */
  readonly values?: string
  /** An attribute computed from other tables; none by default. */
  readonly computed?: ComputedAttribute
  /** Removes a resource that is about to be deleted from the resources referencing it. */
  readonly leave?: (scope: TenantScope, id: string) => Promise<void>
}

/** A table row, without the columns only filters use. */
export interface JsonRow {
  readonly id: string
  readonly resource: string
  /** Only read if the tenant has registered extensions. */
  readonly extensions?: string | null
  readonly version: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly last_modified: number
  /** The computed attribute's first values. Only read if a client wants the attribute. */
  readonly first?: string | null | undefined
}

/** A multi-valued attribute, computed from other tables, which other requests change. */
export interface ComputedAttribute {
  readonly name: string
  /** The approximate maximum JSON length of one value. */
  readonly largest: number
  /** The SQL for a row's first values. With these, most resources' values are known. */
  readonly first: (scope: Pick<TenantScope, 'tenantId' | 'dialect'>) => Fragment
  readOne(scope: TenantScope, row: Pick<JsonRow, 'id' | 'first'>): Promise<readonly WireResource[]>
  /** Reads the values for as many of the first resources as fit into a page, and for at least one. */
  readMany(
    scope: TenantScope,
    rows: readonly (Pick<JsonRow, 'id' | 'first'> & { readonly size: number })[],
  ): Promise<readonly (readonly WireResource[])[]>
}
