import type { Discovery } from '@plumbline/scim/discovery'
import type { Fragment } from '@plumbline/scim/sql'
import type { AttributeColumns } from '../attribute-columns.ts'
import type { WireResource } from '../list/list.ts'
import type { TenantScope } from '../scope.ts'

/** Resources that are stored as JSON, with copies of some attributes in columns. */
export interface JsonResources {
  readonly name: string
  readonly endpoint: string
  readonly definitions: Discovery.Definitions
  /** Has the columns `tenant_id`, `id`, `resource`, `version`, `created_at`, `last_modified` and those below. */
  readonly table: string
  readonly columns: AttributeColumns
  /** The columns of required attributes that the database sorts by, keyed by attribute in lower case. */
  readonly sorted: Readonly<Record<string, string>>
  /** The definitions whose attributes are in the column `extensions`; none by default. */
  readonly extensions?: readonly Discovery.SchemaDefinition[]
  /** The attributes that clients may send and that are not stored. */
  readonly omitted: readonly string[]
  /** The table with the values of multi-valued attributes, for filters; none by default. */
  readonly values?: string
  /** An attribute that is computed from other tables; none by default. */
  readonly computed?: ComputedAttribute
  /** Removes a resource that is about to be deleted from the resources that refer to it. */
  readonly leave?: (scope: TenantScope, id: string) => Promise<void>
}

/** A row of the table, without the columns that are only for filters. */
export interface JsonRow {
  readonly id: string
  readonly resource: string
  /** Only read if the tenant has registered extensions. */
  readonly extensions?: string | null
  readonly version: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly last_modified: number
  /** The first values of the computed attribute. Only read if a client wants the attribute. */
  readonly first?: string | null | undefined
}

/** A multi-valued attribute that is computed from other tables, and that other requests change. */
export interface ComputedAttribute {
  readonly name: string
  /** The approximate maximum JSON of one value. */
  readonly largest: number
  /** The SQL of the first values of a row of the table. With these, the values of most resources are known. */
  readonly first: (scope: Pick<TenantScope, 'tenantId' | 'dialect'>) => Fragment
  readOne(scope: TenantScope, row: Pick<JsonRow, 'id' | 'first'>): Promise<readonly WireResource[]>
  /** The values of as many of the first resources as fit into a page, and of at least one. */
  readMany(
    scope: TenantScope,
    rows: readonly (Pick<JsonRow, 'id' | 'first'> & { readonly size: number })[],
  ): Promise<readonly (readonly WireResource[])[]>
}
