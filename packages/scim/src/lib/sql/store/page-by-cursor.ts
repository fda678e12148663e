import type { ListAnswer, WireResource } from '../../endpoint/options/store.ts'
import { type CursorQuery, invalidCursor, readCursor, writeCursor } from '../../list/cursor.ts'
import { type Place, type Position, type RowOrder, rowOrder } from '../../list/position.ts'
import { type RangeRows, sourceOfRanges } from '../../list/range-source.ts'
import { listByCursor, type RowList } from '../../list/row-list.ts'
import { type RowSource, sourceOfList } from '../../list/row-source.ts'
import { sql } from '../fragment.ts'
import type { RowRange } from '../table-rows.ts'
import { countSorted } from './count.ts'
import { keyInRow } from './cursor-key.ts'
import { findViolation } from './database-errors.ts'
import { rangesFrom } from './ranges.ts'
import { bindKeys, keyOf } from './read.ts'
import { idOf } from './rows.ts'
import {
  bytesOf,
  candidatesOf,
  compileResidual,
  fitRows,
  MAX_PAGE_BYTES,
  type Search,
  selectRows,
  show,
  showCandidates,
} from './search.ts'
import type { Session } from './session.ts'
import type { SqlOrder } from './sort.ts'
import type { SqlRow } from './types.ts'
import { MAX_VALUES } from './values.ts'

/**
 * Lists a page by cursor (RFC 9865 §2). If the database does not sort exactly as memory does, each page reads all
 * matches and sorts them in memory.
 *
 * @param order the requested order; null if the database cannot sort by it
 */
export async function pageByCursor(search: Search, order: SqlOrder | null): Promise<ListAnswer> {
  const { request } = search
  const query = cursorQuery(search)
  const sent = await readCursor(query, request.cursor ?? '')
  const isInMemory = sent === null ? !(await isExact(search, order)) : sent.isInMemory
  // The cursor was created with another map.
  if (!isInMemory && order === null) throw invalidCursor('the cursor is not valid for this query')
  const inDatabase = isInMemory ? null : order
  const place = sent && (await sent.place((id) => currentKey(search, inDatabase, id)))
  const page = { place, count: request.count }
  const { resources, totalResults, next, previous } =
    inDatabase === null
      ? await listByCursor(sortedList(search), page, async (rows) => rows)
      : await listByCursor(orderedList(search, inDatabase), page, async (rows) =>
          rows.map(({ resource }) => resource),
        )
  const write = async (to: Place | null): Promise<string | undefined> =>
    to === null ? undefined : await writeCursor(query, { ...to, isInMemory })
  const links = { nextCursor: await write(next), previousCursor: await write(previous) }
  return { resources, totalResults, applied: ['filter', 'sort', 'page'], ...links }
}

/** Builds the query a cursor belongs to. It is not valid for another table or tenant. */
function cursorQuery({ session, request }: Search): CursorQuery {
  const { table, cursors } = session.options
  const tenant = session.tenant()
  const list = tenant === null ? [table] : [table, String(tenant)]
  const { filter, sortBy, sortOrder } = request
  return { list, filter, sortBy, sortOrder, now: Date.now(), ...cursors }
}

/** Returns whether the database pages: it sorts exactly as memory does, or memory cannot hold the matches. */
async function isExact(search: Search, order: SqlOrder | null): Promise<boolean> {
  if (order === null) return false
  return !order.key?.isInexact || (await countSorted(search, order)) !== null
}

/** Returns a resource's current sort key; undefined if it no longer matches. */
async function currentKey(
  search: Search,
  order: SqlOrder | null,
  id: string,
): Promise<Position['key'] | undefined> {
  const { session } = search
  const column = session.column(session.map.id.name)
  const where = sql`${column} = ${bindKeys(session, [keyOf(session, id)])}`
  const { rows } = await selectRows(search, { where, orderBy: column, limit: 1 })
  const [row] = rows
  if (row === undefined) return undefined
  if (order !== null) return positionOf(session, order, { row, isAssigned: true }).key
  const [resource] = await show(search, rows)
  return resource && orderInMemory(search).keyOf(resource)
}

/** Lists all matches, sorted in memory. */
function sortedList(search: Search): RowList<WireResource> {
  let source: RowSource<WireResource> | null = null
  return {
    from: () => ({
      next: async (limit) => {
        source ??= sourceOfList(await showCandidates(search))
        return await source.next(limit)
      },
    }),
    positionOf: ({ id }) => ({ id: String(id), key: null }),
    matches: compileResidual(search),
    order: orderInMemory(search),
    limits: { candidates: candidatesOf(search.session), batch: BATCH_IN_MEMORY },
  }
}

function orderInMemory({ request, session }: Search): RowOrder<WireResource> {
  const { sortBy, sortOrder, budget, complete } = request
  const { definitions } = session.options
  const query = { sortBy: sortBy ?? undefined, sortOrder }
  return rowOrder(query, { definitions, budget, resourceOf: complete })
}

/** Lists the matches in database order. */
function orderedList(search: Search, order: SqlOrder): RowList<Candidate> {
  const { session } = search
  const matches = compileResidual(search)
  return {
    from: (place) => sourceFrom(search, order, place),
    positionOf: (candidate) => positionOf(session, order, candidate),
    matches: matches && (({ resource }) => matches(resource)),
    order: null,
    // The share of a page that a resource's values and document use.
    sizeOf: ({ size, row }) => size / MAX_VALUES + bytesOf(search, row) / MAX_PAGE_BYTES,
    limits: { candidates: candidatesOf(session), batch: BATCH, page: 1 },
  }
}

/** A row, and whether it has a sort key. */
interface Found {
  readonly row: SqlRow
  readonly isAssigned: boolean
}

/** A row with its resource and its value count in other tables. */
interface Candidate extends Found {
  readonly resource: WireResource
  readonly size: number
}

/** Reads rows from a place on, and loads as many resources at a time as fit into memory. */
function sourceFrom(search: Search, order: SqlOrder, start: Place | null): RowSource<Candidate> {
  const { session } = search
  return sourceOfRanges(start, {
    rangesFrom: (place) => rangesFrom(session, order, place),
    read: async ({ where, orderBy, isAssigned }, limit) => {
      const { rows, isCut } = await selectRange(search, { where, orderBy, limit }, start)
      return { rows: rows.map((row) => ({ row, isAssigned })), isCut }
    },
    positionOf: (found: Found) => positionOf(session, order, found),
    load: async (found) => {
      const all = found.map(({ row }) => row)
      const { rows, sizes } = await fitRows(search, all)
      const resources = await show(search, rows)
      return resources.flatMap((resource, at) => {
        const one = found[at]
        return one === undefined ? [] : { ...one, resource, size: sizes[at] ?? 0 }
      })
    },
  })
}

function positionOf(session: Session, { key }: SqlOrder, { row, isAssigned }: Found): Position {
  return { id: idOf(session, row), key: key !== null && isAssigned ? keyInRow(key, row) : null }
}

/** Reads a range. Rejects cursor keys the column cannot contain, such as an oversized number. */
async function selectRange(
  search: Search,
  range: RowRange,
  place: Place | null,
): Promise<RangeRows<SqlRow>> {
  try {
    return await selectRows(search, range)
  } catch (error) {
    if (place === null || findViolation(error) === null) throw error
    throw invalidCursor('the cursor is not valid')
  }
}

/** The number of rows one statement reads if a filter must run over them. */
const BATCH = 200
/** The number of resources tested before other requests may run. */
const BATCH_IN_MEMORY = 64
