import type { IndexedPage } from './page.ts'
import { entriesFrom, type Place, type Position, type RowOrder } from './position.ts'
import { type RowSource, sourceOfList } from './row-source.ts'
import { findAll, findPage, type Search, type Window } from './search.ts'

/** A list's limits. Sizes use the same unit as `sizeOf`. */
export interface ListLimits {
  /** The maximum number of rows read to test or sort them; then `400 tooMany`. */
  readonly candidates: number
  /** How many rows are tested before other requests may run. */
  readonly batch: number
  /** The maximum total size of a page's rows. A page has at least one row. Unlimited by default. */
  readonly page?: number | undefined
  /** The maximum total size of rows read to sort them in memory; then `400 tooMany`. Unlimited by default. */
  readonly searched?: number | undefined
}

/** The rows a store lists, in the store's own order, such as an index order. */
export interface RowList<Row> {
  /** Reads the rows in this order, from a place on or back from it; all rows for null. */
  readonly from: (place: Place | null) => RowSource<Row>
  /** Returns a row's position in this order. */
  readonly positionOf: (row: Row) => Position
  /** Tests a row with the filter part the store has not applied; null if every row matches. */
  readonly matches: ((row: Row) => boolean) | null
  /** The request's order, if it differs from the store's: then the rows are sorted in memory. */
  readonly order: RowOrder<Row> | null
  /** Returns a row's size; 0 by default. */
  readonly sizeOf?: ((row: Row) => number) | undefined
  /**
   * Reads the rows with a page's ids again, in id order, so rows on other pages need not stay in memory. By default,
   * all matching rows stay.
   */
  readonly reread?: ((ids: readonly string[]) => Promise<readonly Row[]>) | undefined
  readonly limits: ListLimits
}

/**
 * Searches a list in memory and returns a page by index, with the number of matching rows. Throws `400 tooMany` if the
 * list exceeds its limits.
 *
 * @example
 * ```ts
 * import { listByIndex } from '@plumbline/scim/internal'
 *
 * const names = ['a', 'b', 'c']
 * const list = {
 *   from: () => ({ next: async () => ({ rows: names, isLast: true }) }),
 *   positionOf: (id: string) => ({ id, key: null }),
 *   matches: (name: string) => name > 'a',
 *   order: null,
 *   limits: { candidates: 10_000, batch: 1_000 },
 * }
 * await listByIndex(list, { startIndex: 2, count: 10 }) //=> { rows: ['c'], totalResults: 2 }
 * ```
 * @see RFC 7644 §3.4.2.4
 */
export async function listByIndex<Row>(
  list: RowList<Row>,
  { startIndex, count }: IndexedPage,
): Promise<{ readonly rows: readonly Row[]; readonly totalResults: number }> {
  const found = await findSorted(list)
  const { rows } = await cutPage(list, found.slice(startIndex - 1), count)
  return { rows: rows.map(({ row }) => row), totalResults: found.length }
}

/** A requested page by cursor. */
export interface CursorPlace {
  /** Where the page starts; null for the first page. */
  readonly place: Place | null
  /** The maximum number of rows. */
  readonly count: number
}

/** A page by cursor, and its neighbors' places. */
export interface LinkedPage<Resource> {
  readonly resources: readonly Resource[]
  /** Where the next page starts; null on the last page. */
  readonly next: Place | null
  /** Where the previous page ends; null on the first page. */
  readonly previous: Place | null
  /** The number of resources on all pages, if it is known. */
  readonly totalResults: number | undefined
}

/**
 * Returns a page by cursor. A cursor is a position between two rows, so adjacent pages do not skip or repeat a row,
 * even if others are inserted or deleted in the meantime. Throws `400 tooMany` if the list exceeds its limits.
 *
 * @param show returns the resources for as many of the first rows as fit into the page, at least one
 *
 * @example
 * ```ts
 * import { listByCursor } from '@plumbline/scim/internal'
 *
 * const names = ['a', 'b', 'c']
 * const list = {
 *   from: () => ({ next: async (limit: number) => ({ rows: names.slice(0, limit), isLast: false }) }),
 *   positionOf: (id: string) => ({ id, key: null }),
 *   matches: null,
 *   order: null,
 *   limits: { candidates: 10_000, batch: 1_000 },
 * }
 * const page = await listByCursor(list, { place: null, count: 2 }, async (rows) => rows)
 * page.resources //=> ['a', 'b']
 * page.next?.id //=> 'b'
 * ```
 * @see RFC 9865 §2
 */
export async function listByCursor<Row, Resource>(
  list: RowList<Row>,
  { place, count }: CursorPlace,
  show: (rows: readonly Row[]) => Promise<readonly Resource[]>,
): Promise<LinkedPage<Resource>> {
  const { rows, total, ...found } =
    list.order === null
      ? await findInOrder(list, place, count)
      : await findInMemory(list, list.order, place, count)
  const shown = rows.length === 0 ? [] : await show(rows.map(({ row }) => row))
  const hasMore = found.hasMore || shown.length < rows.length
  const end = hasMore ? rows[shown.length - 1]?.position : undefined
  const isForward = place?.isForward ?? true
  // The rows behind a page are those on the other side of its place.
  const behind = place && { ...place, isForward: !isForward, isInclusive: !place.isInclusive }
  const ahead = end === undefined ? null : { ...end, isForward, isInclusive: false }
  const [next, previous] = isForward ? [ahead, behind] : [behind, ahead]
  const isWhole = place === null && !hasMore
  return {
    resources: isForward ? shown : [...shown].reverse(),
    next,
    previous,
    totalResults: total ?? (isWhole ? shown.length : undefined),
  }
}

/** A row at a position. */
interface PlacedRow<Row> {
  readonly position: Position
  readonly row: Row
}

/** A page's rows, and the number of rows on all pages, if it is known. */
interface FoundPage<Row> extends Window<PlacedRow<Row>> {
  readonly total?: number
}

/** Reads rows in the store's order, until a page with matching rows is found. */
async function findInOrder<Row>(
  list: RowList<Row>,
  place: Place | null,
  count: number,
): Promise<FoundPage<Row>> {
  const search = { ...searchOf(list), source: list.from(place) }
  const { rows, hasMore } = await findPage(search, { count, most: list.limits.page })
  return { rows: rows.map((row) => ({ row, position: list.positionOf(row) })), hasMore }
}

/** Sorts all rows in memory, and reads from a place in that order. */
async function findInMemory<Row>(
  list: RowList<Row>,
  { compare }: RowOrder<Row>,
  place: Place | null,
  count: number,
): Promise<FoundPage<Row>> {
  const sorted = await findSorted(list)
  const page = await cutPage(list, entriesFrom(sorted, place, compare), count)
  return { ...page, total: sorted.length }
}

/** A row that a search found. It may have to be read again. */
interface Entry<Row> extends Position {
  readonly size: number
  readonly row: Row | null
}

/** Returns all matching rows in the list's order. */
async function findSorted<Row>(list: RowList<Row>): Promise<Entry<Row>[]> {
  const { order, positionOf, sizeOf, reread } = list
  const keep = (row: Row): Entry<Row> => {
    const { id, key } = positionOf(row)
    return {
      id,
      key: order === null ? key : order.keyOf(row),
      size: sizeOf === undefined ? 0 : sizeOf(row),
      row: reread === undefined ? row : null,
    }
  }
  const search = { ...searchOf(list), source: list.from(null) }
  const found = await findAll(search, { keep, most: list.limits.searched })
  return order === null ? found : order.sort(found)
}

/** Cuts the first entries that fit into a page, and returns their rows. */
async function cutPage<Row>(
  { positionOf, reread, limits }: RowList<Row>,
  entries: readonly Entry<Row>[],
  count: number,
): Promise<Window<PlacedRow<Row>>> {
  const source = sourceOfList(entries)
  const sizeOf = ({ size }: Entry<Row>): number => size
  const search = { ...limits, source, sizeOf, matches: null }
  const { rows: page, hasMore } = await findPage(search, { count, most: limits.page })
  if (reread === undefined) {
    const rows = page.flatMap(({ row, id, key }) =>
      row === null ? [] : { row, position: { id, key } },
    )
    return { rows, hasMore }
  }
  const positions = new Map(page.map(({ id, key }) => [id, { id, key }]))
  const rows = (await reread([...positions.keys()])).flatMap((row) => {
    const position = positions.get(positionOf(row).id)
    return position === undefined ? [] : { row, position }
  })
  return { rows, hasMore }
}

function searchOf<Row>({ matches, sizeOf, limits }: RowList<Row>): Omit<Search<Row>, 'source'> {
  return { matches, sizeOf, candidates: limits.candidates, batch: limits.batch }
}
