import type { NamedColumn, SqlColumnMap } from '../../predicate/columns.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import type { Definitions } from '../../schema/types.ts'
import type { CodedColumn, SqlStoreOptions, ValueTable } from './types.ts'

/** An attribute in a column of the table. */
export interface Field {
  /** The path in the map. */
  readonly path: string
  readonly column: string
  /** The attribute or sub-attribute. */
  readonly node: AttributeNode
  /** The type of the only element that the column belongs to; null without brackets in the path. */
  readonly element: string | null
  /** The value that is stored if the attribute is unassigned. */
  readonly default: unknown
  /** How the value is stored. */
  readonly codec: NamedColumn | CodedColumn | 'json'
}

/** An attribute in a table of its own. */
export interface Values {
  readonly node: AttributeNode
  readonly table: ValueTable
  /** The column that contains the id of the resource, and whether another contains the tenant. */
  readonly key: string
  readonly tenantColumn: string | null
  /** The columns by sub-attribute, in the spelling of the definitions. */
  readonly columns: ReadonlyMap<string, NamedColumn>
}

/** A map of attributes, prepared for statements. */
export interface StoreMap {
  /** The definitions of the attributes in the map. */
  readonly definitions: Definitions
  readonly id: NamedColumn
  readonly fields: readonly Field[]
  readonly values: readonly Values[]
  /** The columns for filters. */
  readonly columns: SqlColumnMap
}

/** The options that do not depend on the context of a request. */
export type MapOptions = Pick<
  SqlStoreOptions<unknown>,
  'definitions' | 'attributes' | 'id' | 'computed'
>
