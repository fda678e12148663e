import { unwrap } from '@plumbline/result'
import type { Scim } from '@plumbline/scim'
import { compileFilter } from '@plumbline/scim/filter'
import {
  compare,
  logical,
  type Place,
  type Position,
  type Predicate,
  type RowList,
  type RowSource,
  rowOrder,
  sourceOfRanges,
} from '@plumbline/scim/internal'
import { MAX_PAGE_BYTES, MAX_SEARCHED_BYTES } from '../../../kernel/store/sizes.ts'
import type { TenantScope } from '../scope.ts'
import type { Listing, Stored, WireResource } from './list.ts'
import { MAX_CANDIDATES, orderOf, type Search } from './plan-query.ts'
import { rowsById, rowsIn } from './read-rows.ts'

/** A row, and its wire resource for the filter and the sort order, which is empty if neither needs it. */
interface Candidate<Row> {
  readonly row: Row
  readonly wire: WireResource
}

/** A tenant's list, and the part of its query that runs in memory. */
interface Listed<Row extends Stored> {
  readonly scope: TenantScope
  readonly query: Scim.ListQuery
  readonly listing: Listing<Row>
  readonly search: Search
}

/** Returns a query's rows, in database order. */
export function rowListOf<Row extends Stored>(listed: Listed<Row>): RowList<Candidate<Row>> {
  const { scope, query, listing, search } = listed
  const { definitions, sizeOf } = listing
  const { budget } = scope
  const { residual, isSorted } = search
  const matches = residual && unwrap(compileFilter(residual, { definitions, budget }))
  return {
    from: (place) => sourceFrom(listed, place),
    positionOf: ({ row }) => positionOf(row, search),
    matches: matches && (({ wire }) => matches(wire)),
    order: isSorted ? null : rowOrder(query, { definitions, resourceOf: wireOf }),
    sizeOf: ({ row }) => sizeOf(row),
    reread: async (ids) => (await rowsById(scope, listing, ids)).map(withoutWire),
    limits: LIMITS,
  }
}

/** Reads a resource's current sort key; null if the resource does not exist. */
export async function readKey<Row extends Stored>(
  listed: Listed<Row>,
  id: string,
): Promise<Position['key']> {
  const { scope, listing, search } = listed
  const range = { where: compare('id', 'eq', id), orderBy: orderOf(search), limit: 1 }
  const { rows } = await rowsIn(scope, listing, range)
  const [row] = rows
  if (row === undefined) return null
  const { order, positionOf } = rowListOf(listed)
  if (order === null) return positionOf(withoutWire(row)).key
  const [wire = {}] = await listing.toWire(scope, rows, search.residual)
  return order.keyOf({ row, wire })
}

function positionOf(row: Stored, { column }: Search): Position {
  if (column === null) return { id: row.id, key: null }
  const values = row as Stored & Readonly<Record<string, Position['key']>>
  return { id: row.id, key: values[column] ?? null }
}

function wireOf({ wire }: Candidate<unknown>): WireResource {
  return wire
}

function withoutWire<Row>(row: Row): Candidate<Row> {
  return { row, wire: NO_WIRE }
}

/** Creates a source for the rows from a place on, in batches small enough for memory. */
function sourceFrom<Row extends Stored>(
  { scope, listing, search }: Listed<Row>,
  start: Place | null,
): RowSource<Candidate<Row>> {
  const { where, residual, isSorted } = search
  const isWireNeeded = residual !== null || !isSorted
  const orderBy = orderOf(search, { isForward: start?.isForward ?? true })
  const most = isWireNeeded ? BATCH_SIZE : MAX_PAGE_BYTES
  return sourceOfRanges(start, {
    rangesFrom: (place) => rangesFrom(search, place),
    read: (range, limit) => {
      const all = logical('and', where === null ? range : [where, ...range])
      return rowsIn(scope, listing, { where: all, orderBy, limit }, most)
    },
    positionOf: (row: Row) => positionOf(row, search),
    load: async (rows) => {
      if (!isWireNeeded) return rows.map(withoutWire)
      await turnFor(scope, rows, listing)
      const wires = await listing.toWire(scope, rows, residual)
      return rows.slice(0, wires.length).map((row, at) => ({ row, wire: wires[at] ?? NO_WIRE }))
    },
  })
}

/** Waits for a turn of the event loop before work on many or large rows. */
export async function turnFor<Row>(
  { turn }: TenantScope,
  rows: readonly Row[],
  { sizeOf }: Pick<Listing<Row>, 'sizeOf'>,
): Promise<void> {
  const size = rows.reduce((sum, row) => sum + sizeOf(row), 0)
  if (size > LARGE) await turn?.()
}

/** Returns the ranges from a place on: the rows with the same sort key, and then all others. */
function rangesFrom({ column, isDescending }: Search, place: Place | null): Predicate[][] {
  if (place === null) return [[]]
  const { isForward, isInclusive, id, key } = place
  const operator = isForward === isDescending ? 'lt' : 'gt'
  const byId = compare('id', isInclusive ? `${operator}e` : operator, id)
  // Sort columns are never null.
  if (column === null || key === null) return [[byId]]
  return [[compare(column, 'eq', key), byId], [compare(column, operator, key)]]
}

const NO_WIRE: WireResource = {}
/** How many candidates are read in one batch, and their size in code units. */
const BATCH = 1_000
const BATCH_SIZE = 2 * 2 ** 20
const LIMITS: RowList<never>['limits'] = {
  candidates: MAX_CANDIDATES,
  batch: BATCH,
  page: MAX_PAGE_BYTES,
  searched: MAX_SEARCHED_BYTES,
}
/** In code units: rows up to this total size take a few milliseconds. */
const LARGE = 64 * 1024
