import type { NamedColumn, SqlColumnMap } from '../../predicate/columns.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import type { Definitions } from '../../schema/types.ts'
import type { ValueIndex } from '../value-index/value-index.ts'
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

/** How the rows of another table are connected to a resource. */
export interface Connection {
  /** The column that contains the id of the resource. */
  readonly key: string
  /** The column that contains the tenant; null without one. */
  readonly tenantColumn: string | null
}

/** An attribute in a table of its own. */
export interface Values extends Connection {
  readonly node: AttributeNode
  readonly table: ValueTable
  /** The columns by sub-attribute, in the spelling of the definitions. */
  readonly columns: ReadonlyMap<string, NamedColumn>
  /** The column that orders the values, and whether the store writes their positions; null without one. */
  readonly order: { readonly column: string; readonly isWritten: boolean } | null
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
  /** The column of JSON and the attributes that it may contain; null without one. */
  readonly document: { readonly column: string; readonly nodes: readonly AttributeNode[] } | null
  /** The index of multi-valued attributes, and how it is connected; null without one. */
  readonly index: (ValueIndex & Connection) | null
}

/** The options that do not depend on the context of a request. */
export type MapOptions = Pick<
  SqlStoreOptions<unknown>,
  'definitions' | 'attributes' | 'id' | 'computed' | 'document' | 'index'
>
