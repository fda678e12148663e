import { project, type RawJson, type Scim } from '@plumbline/scim'
import type { ColumnMap } from '@plumbline/scim/data-table'
import type { Discovery } from '@plumbline/scim/discovery'
import type { Filter } from '@plumbline/scim/filter'
import type { AnyTable, Predicate } from '@remix-run/data-table'
import type { TenantScope } from '../scope.ts'

/** What every row of a resource has. */
export interface Stored {
  readonly id: string
}

/** How resources of one type are listed. */
export interface Listing<Row> {
  readonly type: 'User' | 'Group'
  readonly definitions: Discovery.Definitions
  readonly table: AnyTable
  /** The columns that are read. */
  readonly read: readonly (keyof Row & string)[]
  /** `select … from …`, of these columns. */
  readonly select: string
  /** What filters find in the database. */
  readonly columns: ColumnMap
  /** Attributes, folded, by which the database sorts: those that are never unassigned. */
  readonly sortColumns: Readonly<Record<string, string>>
  /** Narrows what is left of a filter by what is kept in other tables. */
  readonly narrow: (scope: TenantScope, filter: Filter.Expression) => Promise<NarrowedFilter>
  /** The column that may hold megabytes; null if each row is small. */
  readonly large: (keyof Row & string) | null
  /** How large a row is, in code units of that column. */
  readonly sizeOf: (row: Row) => number
  /**
   * The first of the rows as wire resources, complete enough for a filter: as many as are within the size
   * of a page, and at least one.
   */
  readonly toWire: (
    scope: TenantScope,
    rows: readonly Row[],
    filter: Filter.Expression | null,
  ) => Promise<WireResource[]>
}

/** Makes what a client sees of the first of the rows: as many as a page holds, and at least one. */
export type Show<Row, Resource> = (rows: readonly Row[]) => Promise<readonly Resource[]>

/** A predicate that selects the matching rows or more, and the filter that is left to run over them. */
export interface NarrowedFilter {
  readonly where: Predicate | null
  readonly residual: Filter.Expression | null
}

/** A resource as it goes over the wire. */
export type WireResource = Record<string, unknown>

/** What a client wants to see of a resource. */
export type Projection = Pick<Scim.ListQuery, 'attributes' | 'excludedAttributes'>

/**
 * Returns whether a projection shows an attribute of the core schema, or a sub-attribute of it. It projects
 * a probe, so that the answer cannot differ from what the response shows.
 */
export function isShown(
  name: string,
  projection: Projection,
  definitions: Discovery.Definitions,
): boolean {
  const [core] = Object.values(definitions)
  const { subAttributes = [] } = core?.attributes.find((one) => one.name === name) ?? {}
  const probe = { [name]: [Object.fromEntries(subAttributes.map((part) => [part.name, '']))] }
  return Object.hasOwn(project(probe, projection, definitions), name)
}

/** A resource as a client wants to see it, and what the headers of an answer say of it. */
export interface ResourceView {
  readonly body: WireResource | RawJson
  /** The JSON is about so long at most. */
  readonly size: number
  /** The entity tag. */
  readonly version: string
  readonly location: string
}

/** `column = value`, as data: a value is never taken for a column. */
export function equals(column: string, value: string): Predicate {
  return { type: 'comparison', operator: 'eq', column, value, valueType: 'value' }
}

/** `column in (values)`. */
export function oneOf(column: string, values: readonly string[]): Predicate {
  const [only] = values
  if (only !== undefined && values.length === 1) return equals(column, only)
  return { type: 'comparison', operator: 'in', column, value: [...values], valueType: 'value' }
}
