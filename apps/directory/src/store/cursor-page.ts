import { compareResources, project, type Scim } from '@plumbline/scim'
import type { Predicate } from '@remix-run/data-table'
import { type CursorScope, type Place, readCursor, writeCursor } from './cursors.ts'
import { equals, type Listing, type Stored, type Wire } from './list.ts'
import { rowsIn } from './rows.ts'
import type { Scope } from './scope.ts'
import {
  every,
  MOST_CANDIDATES,
  matching,
  orderOf,
  type Search,
  searchOf,
  tooMany,
} from './search.ts'

/**
 * One page by cursor (RFC 9865 §2). A cursor is a place between two resources: pages meet at it and
 * neither skip nor repeat a resource, whatever is added or deleted around it in the meantime.
 */
export async function pageByCursor<Row extends Stored>(
  scope: Scope,
  query: Scim.ListQuery,
  listing: Listing<Row>,
): Promise<Scim.CursorPage<Row>> {
  const { db, tenantId, now } = scope
  const cursors = { db, tenantId, type: listing.type, query, now }
  const search = await searchOf(scope, query, listing)
  const first = { scope, query, listing, search, place: null }
  const asked = { ...first, place: await readCursor(cursors, (id) => keyById(id, first)) }
  const { place } = asked
  const window = search.isSorted ? await scan(asked) : await sort(asked)
  const resources = window.entries.map(({ row }) => row)
  const isWhole = place === null && !window.hasMore
  return {
    resources,
    // To count a million resources costs more than the page: only what is known is said.
    ...(isWhole ? { totalResults: resources.length } : {}),
    ...(await linksOf(cursors, place, window)),
  }
}

/** What a resource is sorted by at this moment, or null if it does not exist. */
async function keyById<Row extends Stored>(id: string, asked: Asked<Row>): Promise<unknown> {
  const { scope, listing, search } = asked
  const where = every([equals('tenant_id', scope.tenantId), equals('id', id)])
  const [row] = await rowsIn(scope, listing, { where, orderBy: orderOf(search), limit: 1 })
  if (row === undefined) return null
  if (search.isSorted) return entryOf(row, search).key
  const [wire = {}] = await listing.toWire(scope, [row], search.residual)
  return sortedBy(wire, asked)
}

/** What a page is made from. */
interface Asked<Row extends Stored> {
  readonly scope: Scope
  readonly query: Scim.ListQuery
  readonly listing: Listing<Row>
  readonly search: Search
  readonly place: Place | null
}

/** A row, and what it is sorted by. */
interface Entry<Row> {
  readonly row: Row
  readonly id: string
  readonly key: unknown
}

interface Window<Row> {
  /** In the order of the list, whichever way they were read. */
  readonly entries: readonly Entry<Row>[]
  /** Whether there are others in the direction of reading. */
  readonly hasMore: boolean
}

async function linksOf<Row>(
  cursors: CursorScope,
  place: Place | null,
  { entries, hasMore }: Window<Row>,
): Promise<{ readonly nextCursor?: string; readonly previousCursor?: string }> {
  const isForward = place?.isForward ?? true
  // Behind a page is all that is on the other side of the place that it was read from.
  const behind = place && { ...place, isForward: !isForward, isInclusive: !place.isInclusive }
  const end = hasMore ? entries.at(isForward ? -1 : 0) : undefined
  const ahead = end ? { isForward, isInclusive: false, id: end.id, key: end.key } : null
  const [next, previous] = isForward ? [ahead, behind] : [behind, ahead]
  return {
    ...(next ? { nextCursor: await writeCursor(cursors, next) } : {}),
    ...(previous ? { previousCursor: await writeCursor(cursors, previous) } : {}),
  }
}

/** Reads on from the place in the order of the database, until there is a page of rows that match. */
async function scan<Row extends Stored>(asked: Asked<Row>): Promise<Window<Row>> {
  const { query, search } = asked
  const isForward = asked.place?.isForward ?? true
  const isExact = search.residual === null
  // One more than the page has shows whether there is another.
  const wanted = query.count + 1
  const kept: Entry<Row>[] = []
  let { place } = asked
  let read = 0
  while (kept.length < wanted && read <= MOST_CANDIDATES) {
    const limit = isExact ? wanted : Math.min(BATCH, MOST_CANDIDATES + 1 - read)
    const rows = await rowsFrom({ ...asked, place }, limit)
    const found = isExact ? rows : await matchingRows(rows, asked)
    kept.push(...found.map((row) => entryOf(row, search)))
    read += rows.length
    const last = rows.at(-1)
    if (rows.length < limit || last === undefined) return windowOf(kept, asked)
    const { id, key } = entryOf(last, search)
    place = { isForward, isInclusive: false, id, key }
  }
  if (kept.length < query.count) throw tooMany()
  return windowOf(kept, asked, { hasUnread: true })
}

async function matchingRows<Row extends Stored>(
  rows: readonly Row[],
  { scope, search, listing }: Asked<Row>,
): Promise<Row[]> {
  return (await matching(scope, rows, search.residual, listing)).map(({ row }) => row)
}

function windowOf<Row extends Stored>(
  kept: readonly Entry<Row>[],
  { query, place }: Asked<Row>,
  { hasUnread = false } = {},
): Window<Row> {
  const entries = kept.slice(0, query.count)
  const isBackward = place?.isForward === false
  const hasMore = hasUnread || kept.length > query.count
  return { entries: isBackward ? entries.reverse() : entries, hasMore }
}

/** The next rows from a place, one range of an index after the other. */
async function rowsFrom<Row extends Stored>(
  { scope, listing, search, place }: Asked<Row>,
  limit: number,
): Promise<Row[]> {
  const orderBy = orderOf(search, { isForward: place?.isForward ?? true })
  const rows: Row[] = []
  for (const range of rangesFrom(search, place)) {
    if (rows.length === limit) break
    const where = every([...search.where, ...range])
    rows.push(...(await rowsIn(scope, listing, { where, orderBy, limit: limit - rows.length })))
  }
  return rows
}

/** What comes from a place on: those that are sorted by the same value, and then all the others. */
function rangesFrom({ column, isDescending }: Search, place: Place | null): Predicate[][] {
  if (place === null) return [[]]
  const { isForward, isInclusive, id, key } = place
  const operator = isForward === isDescending ? 'lt' : 'gt'
  const byId = compare('id', isInclusive ? `${operator}e` : operator, id)
  if (column === null) return [[byId]]
  return [[compare(column, 'eq', key), byId], [compare(column, operator, key)]]
}

function compare(
  column: string,
  operator: 'eq' | 'lt' | 'lte' | 'gt' | 'gte',
  value: unknown,
): Predicate {
  return { type: 'comparison', operator, column, value, valueType: 'value' }
}

function entryOf<Row>(row: Row, { column }: Search): Entry<Row> {
  const values = row as { readonly id: string } & Readonly<Record<string, unknown>>
  return { row, id: values.id, key: column === null ? null : values[column] }
}

/** Sorts in memory what the database does not sort, and goes on from the place in that order. */
async function sort<Row extends Stored>(asked: Asked<Row>): Promise<Window<Row>> {
  const { scope, query, listing, search, place } = asked
  const rows = await rowsFrom({ ...asked, place: null }, MOST_CANDIDATES + 1)
  if (rows.length > MOST_CANDIDATES) throw tooMany()
  const { definitions } = listing
  const byValue = compareResources(query, definitions)
  const order = (a: Sorted, b: Sorted): number => byValue(a.wire, b.wire) || compareIds(a, b)
  const sorted = (await matching(scope, rows, search.residual, listing))
    .map(({ row, wire }) => ({ row, wire, id: entryOf(row, search).id }))
    .sort(order)
  const isForward = place?.isForward ?? true
  const at = place === null ? 0 : countBefore(sorted, place, order)
  const [from, to] = isForward ? [at, at + query.count] : [Math.max(0, at - query.count), at]
  const entries = sorted
    .slice(from, to)
    .map(({ row, id, wire }) => ({ row, id, key: sortedBy(wire, asked) }))
  return { entries, hasMore: isForward ? to < sorted.length : from > 0 }
}

interface Sorted {
  readonly id: string
  readonly wire: Wire
}

/** How many come before a place, the one at the place among them where it is on their side. */
function countBefore(
  sorted: readonly Sorted[],
  { isForward, isInclusive, id, key }: Place,
  order: (a: Sorted, b: Sorted) => number,
): number {
  const at = { id, wire: key as Wire }
  const isBefore = (sign: number): boolean => (isForward === isInclusive ? sign < 0 : sign <= 0)
  return sorted.filter((one) => isBefore(order(one, at))).length
}

function compareIds(a: Sorted, b: Sorted): number {
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

/** The part of a resource that it is sorted by, where it is sorted in memory. */
function sortedBy<Row extends Stored>(wire: Wire, { query, listing }: Asked<Row>): object {
  const attributes = [query.sortBy ?? 'id']
  return project(withPreferred(wire), { attributes }, listing.definitions)
}

/** Of several values only the one that is sorted by: a cursor goes into a URL. */
function withPreferred(wire: Wire): Wire {
  return JSON.parse(
    JSON.stringify(wire, (_, value: unknown) => {
      if (!Array.isArray(value)) return value
      return value
        .filter((one) => Object(one).primary === true)
        .concat(value)
        .slice(0, 1)
    }),
  )
}

/** How many candidates are read at once while a filter is run over them. */
const BATCH = 1_000
