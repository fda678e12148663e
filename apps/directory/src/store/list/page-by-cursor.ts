import { compareResources, type Scim } from '@plumbline/scim'
import type { Predicate, PredicateValue } from '@plumbline/scim/sql'
import { compare, every } from '../predicates.ts'
import type { TenantScope } from '../scope.ts'
import { countWithin, MOST_IN_PAGE } from '../sizes.ts'
import { type CursorPosition, type CursorScope, readCursor, writeCursor } from './cursor-token.ts'
import { createKeyReader, findInMemory, keepMatching } from './in-memory.ts'
import type { Listing, Show, Stored, WireResource } from './list.ts'
import { MOST_CANDIDATES, orderOf, planSearch, type Search, tooMany } from './plan-query.ts'
import { type Rows, rowsById, rowsIn } from './read-rows.ts'

/**
 * One page by cursor (RFC 9865 §2). A cursor is a position between two resources. Adjacent pages do not
 * skip or repeat a resource, even if others are inserted or deleted in the meantime.
 */
export async function pageByCursor<Row extends Stored, Resource>(
  scope: TenantScope,
  query: Scim.ListQuery,
  listing: Listing<Row>,
  show: Show<Row, Resource>,
): Promise<Scim.CursorPage<Resource>> {
  const { db, tenantId, now } = scope
  const cursors = { db, tenantId, type: listing.type, query, now }
  const search = await planSearch(scope, query, listing)
  const first = { scope, query, listing, search, position: null }
  const request = { ...first, position: await readCursor(cursors, (id) => readKey(id, first)) }
  const { position } = request
  const found = search.isSorted ? await readInOrder(request) : await readSorted(request)
  const rows = found.entries.map(({ row }) => row)
  const shown = rows.length === 0 ? [] : await show(rows)
  const window = {
    entries: found.entries.slice(0, shown.length),
    hasMore: found.hasMore || shown.length < rows.length,
  }
  const isWhole = position === null && !window.hasMore
  const resources = position?.isForward === false ? shown.toReversed() : shown
  return {
    resources,
    // Counting a million resources costs more than the page: totalResults is set only if it is known.
    ...(isWhole ? { totalResults: resources.length } : {}),
    ...(await writeLinks(cursors, position, window)),
  }
}

/** The current sort key of a resource, or null if it does not exist. */
async function readKey<Row extends Stored>(
  id: string,
  request: PageRequest<Row>,
): Promise<unknown> {
  const { scope, listing, search } = request
  const range = { where: compare('id', 'eq', id), orderBy: orderOf(search), limit: 1 }
  const [row] = (await rowsIn(scope, listing, range)).rows
  if (row === undefined) return null
  if (search.isSorted) return entryOf(row, search).key
  const [wire = {}] = await listing.toWire(scope, [row], search.residual)
  return createKeyReader(request.query, listing)(wire)
}

/** The rows of a page, and whether others precede and follow them. */
interface PageRequest<Row extends Stored> {
  readonly scope: TenantScope
  readonly query: Scim.ListQuery
  readonly listing: Listing<Row>
  readonly search: Search
  readonly position: CursorPosition | null
}

/** A row with its sort key. */
interface Entry<Row> {
  readonly row: Row
  readonly id: string
  readonly key: unknown
}

interface Window<Row> {
  /** In the order of reading: the last row of the list is the first if the page is read backward. */
  readonly entries: readonly Entry<Row>[]
  /** Whether more rows follow in the direction of reading. */
  readonly hasMore: boolean
}

async function writeLinks<Row>(
  cursors: CursorScope,
  position: CursorPosition | null,
  { entries, hasMore }: Window<Row>,
): Promise<{ readonly nextCursor?: string; readonly previousCursor?: string }> {
  const isForward = position?.isForward ?? true
  // The rows behind a page are those on the other side of the position that it was read from.
  const behind = position && {
    ...position,
    isForward: !isForward,
    isInclusive: !position.isInclusive,
  }
  const end = hasMore ? entries.at(-1) : undefined
  const ahead = end ? { isForward, isInclusive: false, id: end.id, key: end.key } : null
  const [next, previous] = isForward ? [ahead, behind] : [behind, ahead]
  return {
    ...(next ? { nextCursor: await writeCursor(cursors, next) } : {}),
    ...(previous ? { previousCursor: await writeCursor(cursors, previous) } : {}),
  }
}

/** Reads from a position in the order of the database, until a page of matching rows is found. */
async function readInOrder<Row extends Stored>(request: PageRequest<Row>): Promise<Window<Row>> {
  const { query, search, listing } = request
  const isForward = request.position?.isForward ?? true
  // One additional row shows whether another page follows.
  const wanted = query.count + 1
  const kept: Entry<Row>[] = []
  let { position } = request
  let read = 0
  let size = 0
  while (kept.length < wanted && read <= MOST_CANDIDATES && size <= MOST_IN_PAGE) {
    const limit = search.residual === null ? wanted : Math.min(BATCH, MOST_CANDIDATES + 1 - read)
    const { rows, isCut } = await rowsFrom({ ...request, position }, limit)
    for (const row of await readMatching(rows, request)) {
      kept.push(entryOf(row, search))
      size += listing.sizeOf(row)
    }
    read += rows.length
    const last = rows.at(-1)
    const isEnd = !isCut && rows.length < limit
    if (isEnd || last === undefined) return windowOf(kept, request)
    if (isCut && search.residual === null) return windowOf(kept, request, { hasUnread: true })
    const { id, key } = entryOf(last, search)
    position = { isForward, isInclusive: false, id, key }
  }
  if (kept.length < query.count && size <= MOST_IN_PAGE) throw tooMany()
  return windowOf(kept, request, { hasUnread: true })
}

async function readMatching<Row extends Stored>(
  rows: readonly Row[],
  { scope, search, listing }: PageRequest<Row>,
): Promise<readonly Row[]> {
  if (search.residual === null) return rows
  return (await keepMatching(scope, rows, search.residual, listing)).map(({ row }) => row)
}

/** The first of the entries that fit into a page, by their number and by their size. */
function windowOf<Row extends Stored>(
  kept: readonly Entry<Row>[],
  { query, listing }: PageRequest<Row>,
  { hasUnread = false } = {},
): Window<Row> {
  const page = kept.slice(0, query.count)
  const sizes = page.map(({ row }) => listing.sizeOf(row))
  const entries = page.slice(0, countWithin(sizes, MOST_IN_PAGE))
  return { entries, hasMore: hasUnread || kept.length > entries.length }
}

/** The next rows from a position, one range of an index after the other. */
async function rowsFrom<Row extends Stored>(
  { scope, listing, search, position }: PageRequest<Row>,
  limit: number,
): Promise<Rows<Row>> {
  const most = search.residual === null ? MOST_IN_PAGE : BATCH_SIZE
  const orderBy = orderOf(search, { isForward: position?.isForward ?? true })
  const read: Row[] = []
  for (const range of rangesFrom(search, position)) {
    if (read.length === limit) break
    const where = every([...(search.where === null ? [] : [search.where]), ...range])
    const left = { where, orderBy, limit: limit - read.length }
    const { rows, isCut } = await rowsIn(scope, listing, left, most)
    read.push(...rows)
    if (isCut) return { rows: read, isCut }
  }
  return { rows: read, isCut: false }
}

/** The ranges from a position on: the rows with the same sort key, and then all others. */
function rangesFrom(
  { column, isDescending }: Search,
  position: CursorPosition | null,
): Predicate[][] {
  if (position === null) return [[]]
  const { isForward, isInclusive, id, key } = position
  const operator = isForward === isDescending ? 'lt' : 'gt'
  const byId = compare('id', isInclusive ? `${operator}e` : operator, id)
  if (column === null) return [[byId]]
  // The directory has signed the key, which it has read from the column.
  const value = key as PredicateValue
  return [[compare(column, 'eq', value), byId], [compare(column, operator, value)]]
}

function entryOf<Row>(row: Row, { column }: Search): Entry<Row> {
  const values = row as { readonly id: string } & Readonly<Record<string, unknown>>
  return { row, id: values.id, key: column === null ? null : values[column] }
}

/** Sorts the rows in memory if the database does not, and reads from a position in that order. */
async function readSorted<Row extends Stored>(request: PageRequest<Row>): Promise<Window<Row>> {
  const { scope, query, listing, search, position } = request
  const byValue = compareResources(query, listing.definitions)
  const order = (a: SortedEntry, b: SortedEntry): number =>
    byValue(a.key, b.key) || compareIds(a, b)
  const sorted = (await findInMemory(scope, query, search, listing)).sort(order)
  const isForward = position?.isForward ?? true
  const at = position === null ? 0 : countBefore(sorted, position, order)
  const ahead = isForward ? sorted.slice(at) : sorted.slice(0, at).reverse()
  const page = ahead.slice(0, query.count)
  const sizes = page.map(({ size }) => size)
  const shown = new Map(page.slice(0, countWithin(sizes, MOST_IN_PAGE)).map((one) => [one.id, one]))
  const rows = await rowsById(scope, listing, [...shown.keys()])
  const entries = rows.map((row) => ({ row, id: row.id, key: shown.get(row.id)?.key ?? {} }))
  return { entries, hasMore: entries.length < ahead.length }
}

interface SortedEntry {
  readonly id: string
  readonly key: WireResource
}

/** The number of rows before a position, including the row at the position if it is on their side. */
function countBefore(
  sorted: readonly SortedEntry[],
  { isForward, isInclusive, id, key }: CursorPosition,
  order: (a: SortedEntry, b: SortedEntry) => number,
): number {
  const at = { id, key: key as WireResource }
  const isBefore = (sign: number): boolean => (isForward === isInclusive ? sign < 0 : sign <= 0)
  return sorted.filter((one) => isBefore(order(one, at))).length
}

function compareIds(a: SortedEntry, b: SortedEntry): number {
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

/** The number of candidates that are read in one batch while a filter runs over them. */
const BATCH = 1_000
const BATCH_SIZE = 2 * 2 ** 20
