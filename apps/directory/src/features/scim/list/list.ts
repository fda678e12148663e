import { project, type RawJson, type Scim } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { Filter } from '@plumbline/scim/filter'
import type { Fragment, PredicateFilter } from '@plumbline/scim/internal'
import type { TenantScope } from '../scope.ts'

/** The column in every resource row. */
export interface Stored {
  readonly id: string
}

/** Describes how one type's resources are listed. */
export interface Listing<Row> {
  /** The type name. */
  readonly type: string
  readonly definitions: Discovery.Definitions
  /** The table name. */
  readonly table: string
  /** The columns to read, separated by commas. */
  readonly read: string
  /** The SQL for the column `first`, read only with a range's first rows; none by default. */
  readonly first?: (scope: TenantScope) => Fragment
  /** The sortable attributes, in lower case: they are never unassigned. */
  readonly sortColumns: Readonly<Record<string, string>>
  /** Translates a filter into a condition on the table. */
  readonly narrow: (scope: TenantScope, filter: Filter.Expression) => Promise<PredicateFilter>
  /** The column that may contain megabytes; null if every row is small. */
  readonly large: (keyof Row & string) | null
  /** The SQL for a row's size, in bytes; defaults to the large column's size. */
  readonly sizeSql?: string
  /** Returns a row's size, in code units of the large columns. */
  readonly sizeOf: (row: Row) => number
  /**
   * Converts as many of the first rows as fit into a page, and at least one, to wire resources with the
   * attributes the filter needs.
   */
  readonly toWire: (
    scope: TenantScope,
    rows: readonly Row[],
    filter: Filter.Expression | null,
  ) => Promise<WireResource[]>
}

/** Writes as many of the first rows as fit into a page, and at least one, for a client. */
export type Show<Row, Resource> = (rows: readonly Row[]) => Promise<readonly Resource[]>

/** A resource with the wire format's attribute names. */
export type WireResource = Record<string, unknown>

/** The attributes a client wants. */
export type Projection = Pick<Scim.ListQuery, 'attributes' | 'excludedAttributes'>

/**
 * Creates a function that checks whether a projection shows an attribute of the core schema, or a
 * sub-attribute. It projects a probe, so the result cannot differ from the response.
 */
export function compileShown(
  name: string,
  definitions: Discovery.Definitions,
): (projection: Projection) => boolean {
  const [core] = Object.values(definitions)
  const { subAttributes = [] } = core?.attributes.find((one) => one.name === name) ?? {}
  const probe = { [name]: [Object.fromEntries(subAttributes.map((part) => [part.name, '']))] }
  return (projection) => Object.hasOwn(project(probe, projection, definitions), name)
}

/** JSON in pieces, so a large resource is never in memory as one string. */
export class JsonPieces {
  readonly pieces: readonly string[]
  readonly length: number

  constructor(pieces: readonly string[]) {
    this.pieces = pieces
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  }
}

/** A resource with the attributes a client wants, and the response header values. */
export interface ResourceView {
  readonly body: WireResource | RawJson | JsonPieces
  /** The approximate maximum JSON length. */
  readonly size: number
  /** The entity tag. */
  readonly version: string
  readonly location: string
}

/** A page by index or by cursor. */
export type ListedPage<Resource> = Scim.Page<Resource> | Scim.CursorPage<Resource>

/** A search expected to read few rows has to read many: it must run as a scan. */
export class BroadSearchError extends Error {
  override readonly name: string = 'BroadSearchError'
}
