import type { IndexedColumnMap, NamedColumn } from '../../predicate/columns.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import type { Definitions } from '../../schema/types.ts'
import type { ValueIndex } from '../value-index/value-index.ts'
import type { CodedColumn, SqlStoreOptions, ValueTable } from './types.ts'

/** An attribute in a column of the table. */
export interface Field {
  /** The attribute's path in the map. */
  readonly path: string
  readonly column: string
  /** The attribute or sub-attribute. */
  readonly node: AttributeNode
  /** The `type` of the only element stored in the column; null for a path without brackets. */
  readonly element: string | null
  /** The value stored when the attribute is unassigned. */
  readonly default: unknown
  /** The value stored in a new row when the attribute is unassigned. */
  readonly initial: unknown
  /** How the value is encoded. */
  readonly codec: NamedColumn | CodedColumn | 'json'
}

/** Connects another table's rows to a resource. */
export interface Connection {
  /** The column with the resource's id. */
  readonly key: string
  /** The tenant column; null without one. */
  readonly tenantColumn: string | null
}

/** An attribute in its own table. */
export interface Values extends Connection {
  readonly node: AttributeNode
  readonly table: ValueTable
  /** The columns, keyed by sub-attribute, spelled as in the definitions. */
  readonly columns: ReadonlyMap<string, NamedColumn>
  /** The column that orders the values, and whether the store writes positions to it; null without one. */
  readonly order: { readonly column: string; readonly isWritten: boolean } | null
}

/** A map from attributes to columns, prepared for statements. */
export interface StoreMap {
  /** Definitions of the mapped attributes. */
  readonly definitions: Definitions
  readonly id: NamedColumn
  readonly fields: readonly Field[]
  readonly values: readonly Values[]
  /** The columns available to filters. */
  readonly columns: IndexedColumnMap
  /** The JSON column and the attributes it may contain; null without one. */
  readonly document: { readonly column: string; readonly nodes: readonly AttributeNode[] } | null
  /** The index on multi-valued attributes and its connection; null without one. */
  readonly index: (ValueIndex & Connection) | null
}

/** The options independent of the request context. */
export type MapOptions = Pick<
  SqlStoreOptions<unknown>,
  'definitions' | 'attributes' | 'id' | 'computed' | 'document' | 'index'
>
