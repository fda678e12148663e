import { isFailure } from '@plumbline/result'
import { compareResources, type Scim, ScimError } from '@plumbline/scim'
import { type ColumnMap, splitFilter } from '@plumbline/scim/data-table'
import type { Discovery } from '@plumbline/scim/discovery'
import { compileFilter, type Filter } from '@plumbline/scim/filter'
import type { AnyTable, Database, Predicate, TableRow } from '@remix-run/data-table'

/** How resources of one type are listed. */
export interface Listing<Row> {
  readonly definitions: Discovery.Definitions
  /** What filters find in the database. */
  readonly columns: ColumnMap
  /** Attributes, folded, by which the database sorts: those that are never unassigned. */
  readonly sortColumns: Readonly<Record<string, string>>
  /** Narrows what is left of a filter by what is kept in other tables. */
  readonly narrow: (filter: Filter.Expression) => Promise<Narrowed>
  /** The rows as wire resources, complete enough for a filter. */
  readonly toWire: (rows: readonly Row[], filter: Filter.Expression | null) => Promise<Wire[]>
}

/** A predicate that selects the matching rows or more, and the filter that is left to run over them. */
export interface Narrowed {
  readonly where: Predicate | null
  readonly residual: Filter.Expression | null
}

/** A resource as it goes over the wire. */
export type Wire = Record<string, unknown>

/** How many resources are read into memory at most, where the database cannot say all of a filter. */
export const MOST_CANDIDATES = 10_000

/**
 * One page of the resources of a tenant that match a query.
 *
 * What SQL can say of the filter and the order, the database does. The rest is done in memory over the
 * candidates that are left; more than 10,000 of them are `400 tooMany`, never a silent cut.
 */
export async function listPage<Table extends AnyTable>(
  db: Database,
  table: Table,
  tenantId: string,
  query: Scim.ListQuery,
  listing: Listing<TableRow<Table>>,
): Promise<Scim.Page<TableRow<Table>>> {
  const { startIndex, count, sortBy, sortOrder } = query
  const { where, residual } = await narrowed(query.filter, listing)
  // The tenant is outside of whatever the client asks for.
  const scope: Predicate[] = [equals('tenant_id', tenantId), ...(where ? [where] : [])]
  const predicate: Predicate = { type: 'logical', operator: 'and', predicates: scope }
  const column = sortBy === undefined ? undefined : listing.sortColumns[sortBy.toLowerCase()]
  const direction = sortOrder === 'descending' ? 'desc' : 'asc'
  const orderBy = [...(column ? [[column, direction]] : []), ['id', 'asc']] as never
  const isSorted = sortBy === undefined || column !== undefined
  if (residual === null && isSorted) {
    const totalResults = await db.count(table, { where: predicate as never })
    const rows =
      count === 0 || startIndex > totalResults
        ? []
        : await db.findMany(table, {
            where: predicate as never,
            orderBy,
            limit: count,
            offset: startIndex - 1,
          })
    return { resources: rows as TableRow<Table>[], totalResults, startIndex }
  }
  const rows = (await db.findMany(table, {
    where: predicate as never,
    orderBy,
    limit: MOST_CANDIDATES + 1,
  })) as TableRow<Table>[]
  if (rows.length > MOST_CANDIDATES) {
    throw new ScimError(400, `more than ${MOST_CANDIDATES} resources would have to be searched`, {
      scimType: 'tooMany',
    })
  }
  const matching = await inMemory(rows, residual, query, isSorted, listing)
  const resources = matching.slice(startIndex - 1, startIndex - 1 + count)
  return { resources, totalResults: matching.length, startIndex }
}

/** `column = value`, as data: a value is never taken for a column. */
export function equals(column: string, value: unknown): Predicate {
  return { type: 'comparison', operator: 'eq', column, value, valueType: 'value' }
}

/** `column in (values)`. */
export function oneOf(column: string, values: readonly string[]): Predicate {
  return { type: 'comparison', operator: 'in', column, value: [...values], valueType: 'value' }
}

async function narrowed<Row>(
  filter: Filter.Expression | undefined,
  { definitions, columns, narrow }: Listing<Row>,
): Promise<Narrowed> {
  if (filter === undefined) return { where: null, residual: null }
  // All that is wrong with a filter is refused, whether the database would see it or not.
  const compiled = compileFilter(filter, { definitions })
  if (isFailure(compiled)) throw compiled.error
  const split = splitFilter(filter, columns)
  if (isFailure(split)) throw split.error
  const { where, residual } = split.data
  if (residual === null) return split.data
  const further = await narrow(residual)
  if (where === null || further.where === null) {
    return { where: where ?? further.where, residual: further.residual }
  }
  const predicates = [where, further.where]
  return { where: { type: 'logical', operator: 'and', predicates }, residual: further.residual }
}

async function inMemory<Row>(
  rows: readonly Row[],
  residual: Filter.Expression | null,
  query: Scim.ListQuery,
  isSorted: boolean,
  { definitions, toWire }: Listing<Row>,
): Promise<Row[]> {
  const compiled = residual === null ? null : compileFilter(residual, { definitions })
  if (compiled && isFailure(compiled)) throw compiled.error
  const wires = await toWire(rows, residual)
  const found = rows.map((row, at) => ({ row, wire: wires[at] ?? {} }))
  const kept = compiled === null ? found : found.filter(({ wire }) => compiled.data(wire))
  if (!isSorted) {
    const compare = compareResources(query, definitions)
    kept.sort((a, b) => compare(a.wire, b.wire))
  }
  return kept.map(({ row }) => row)
}
