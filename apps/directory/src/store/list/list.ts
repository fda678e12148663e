import { project, type RawJson, type Scim } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { Filter } from '@plumbline/scim/filter'
import type { Fragment, PredicateFilter } from '@plumbline/scim/sql'
import type { TenantScope } from '../scope.ts'

/** The column that every row of a resource has. */
export interface Stored {
  readonly id: string
}

/** Describes how resources of one type are listed. */
export interface Listing<Row> {
  /** The name of the type. */
  readonly type: string
  readonly definitions: Discovery.Definitions
  /** The name of the table. */
  readonly table: string
  /** The columns that are read, divided by commas. */
  readonly read: string
  /** The SQL of the column `first`, which is also read of the first rows of a range; none by default. */
  readonly first?: (scope: TenantScope) => Fragment
  /** The attributes, in lower case, that the database can sort by: those that are never unassigned. */
  readonly sortColumns: Readonly<Record<string, string>>
  /** Translates a filter into a condition on the table. */
  readonly narrow: (scope: TenantScope, filter: Filter.Expression) => Promise<PredicateFilter>
  /** The column that may contain megabytes; null if every row is small. */
  readonly large: (keyof Row & string) | null
  /** The SQL of the size of a row, in bytes; that of the large column by default. */
  readonly sizeSql?: string
  /** The size of a row, in code units of its large columns. */
  readonly sizeOf: (row: Row) => number
  /**
   * As many of the first rows as fit into a page, and at least one, as wire resources with the attributes
   * that the filter needs.
   */
  readonly toWire: (
    scope: TenantScope,
    rows: readonly Row[],
    filter: Filter.Expression | null,
  ) => Promise<WireResource[]>
}

/** Writes as many of the first rows as fit into a page, and at least one, for a client. */
export type Show<Row, Resource> = (rows: readonly Row[]) => Promise<readonly Resource[]>

/** A resource with the attribute names of the wire format. */
export type WireResource = Record<string, unknown>

/** The attributes that a client wants. */
export type Projection = Pick<Scim.ListQuery, 'attributes' | 'excludedAttributes'>

/**
 * Returns the test whether a projection shows an attribute of the core schema, or a sub-attribute of it. It
 * projects a probe, so that the answer cannot differ from what the response shows.
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

/** JSON in pieces, so that a large resource is never in memory as one string. */
export class JsonPieces {
  readonly pieces: readonly string[]
  readonly length: number

  constructor(pieces: readonly string[]) {
    this.pieces = pieces
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  }
}

/** A resource with the attributes that a client wants, and the values of its response headers. */
export interface ResourceView {
  readonly body: WireResource | RawJson | JsonPieces
  /** The approximate maximum length of its JSON. */
  readonly size: number
  /** The entity tag. */
  readonly version: string
  readonly location: string
}

/** A page by index or by cursor. */
export type ListedPage<Resource> = Scim.Page<Resource> | Scim.CursorPage<Resource>

/** A search that was expected to read few rows has to read many: it must run as a scan. */
export class BroadSearchError extends Error {
  override readonly name: string = 'BroadSearchError'
}
