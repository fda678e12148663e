import type { ListAnswer, WireResource } from '../../endpoint/store.ts'
import type { RowSource } from '../../list/row-source.ts'
import { findPage } from '../../list/search.ts'
import { sql } from '../fragment.ts'
import { countSorted } from './count.ts'
import { type CursorPosition, invalidCursor, readCursor, writeCursor } from './cursor.ts'
import { keyInRow } from './cursor-key.ts'
import { pageInMemory } from './page-in-memory.ts'
import { rangesAfter } from './ranges.ts'
import { keyOf } from './read.ts'
import { idOf } from './rows.ts'
import {
  candidatesOf,
  compileResidual,
  fitRows,
  MOST_IN_PAGE,
  type Search,
  type SelectedRows,
  selectRows,
  show,
} from './search.ts'
import type { Session } from './session.ts'
import type { SqlOrder } from './sort.ts'
import type { SqlRow } from './types.ts'
import { MOST_VALUES } from './values.ts'
import { violationOf } from './violations.ts'

/**
 * One page by cursor (RFC 9865 §2). A cursor is a position after a resource. The pages do not skip or repeat a
 * resource that exists all the time, even if others are inserted or deleted in the meantime.
 *
 * If the database does not sort exactly as memory does, each page reads all matches and sorts them in memory.
 *
 * @param order the order of the request; null if the database cannot sort by it
 */
export async function pageByCursor<Context>(
  search: Search<Context>,
  order: SqlOrder | null,
): Promise<ListAnswer> {
  const { session, request } = search
  const query = { ...request, table: session.options.table }
  const sent = await readCursor(query, request.cursor ?? '')
  const isInMemory = sent === null ? !(await isExact(search, order)) : sent.isInMemory
  if (isInMemory) return await pageInMemory(search, query, sent)
  // The cursor of another map.
  if (order === null) throw invalidCursor('the cursor is not valid for this query')
  const position = sent && (await sent.position((id) => currentKey(search, order, id)))
  const { resources, next } = await readPage(search, order, position)
  const cursor = next && (await writeCursor(query, { ...next, isInMemory }))
  return { resources, applied: ['filter', 'sort', 'page'], nextCursor: cursor ?? undefined }
}

/** Whether the database sorts the matches as memory does, or whether they are too many for memory. */
async function isExact<Context>(search: Search<Context>, order: SqlOrder | null): Promise<boolean> {
  if (order === null) return false
  return !order.key?.isInexact || (await countSorted(search, order)) !== null
}

/** The resources of a page, and the position of the next one; null on the last page. */
interface Page {
  readonly resources: readonly WireResource[]
  readonly next: CursorPosition | null
}

/** Reads on from a position, until a page of matching rows is found. */
async function readPage<Context>(
  search: Search<Context>,
  order: SqlOrder,
  start: CursorPosition | null,
): Promise<Page> {
  const { session, request } = search
  const matches = compileResidual(search)
  const { rows, hasMore } = await findPage(
    {
      source: sourceFrom(search, order, start),
      matches: matches && (({ resource }) => matches(resource)),
      candidates: candidatesOf(session),
      batch: BATCH,
    },
    // The part of a page that a resource fills, by its values and by its document.
    {
      count: request.count,
      sizeOf: ({ size, bytes }) => size / MOST_VALUES + bytes / MOST_IN_PAGE,
      most: 1,
    },
  )
  const last = rows.at(-1)
  const end = last === undefined ? start : positionOf(session, order, last)
  return { resources: rows.map(({ resource }) => resource), next: hasMore ? end : null }
}

/** A row with its resource, and the number of its values in other tables. */
interface Candidate extends Found {
  readonly resource: WireResource
  readonly size: number
}

/** The rows after a position, with as many resources at a time as fit into memory. */
function sourceFrom<Context>(
  search: Search<Context>,
  order: SqlOrder,
  start: CursorPosition | null,
): RowSource<Candidate> {
  let position = start
  return {
    next: async (limit) => {
      const { found, isCut } = await rowsAfter(search, order, position, limit)
      const { rows, sizes } = await fitRows(
        search,
        found.map(({ row }) => row),
      )
      const resources = await show(search, rows)
      const candidates = resources.flatMap((resource, at) => {
        const one = found[at]
        return one === undefined ? [] : { ...one, resource, size: sizes[at] ?? 0 }
      })
      const last = candidates.at(-1)
      if (last !== undefined) position = positionOf(search.session, order, last)
      return {
        rows: candidates,
        isLast: !isCut && rows.length === found.length && found.length < limit,
      }
    },
  }
}

/** A row, and whether it has a sort key. */
interface Found {
  readonly row: SqlRow
  readonly isAssigned: boolean
  /** The size of its document. */
  readonly bytes: number
}

/** The next rows after a position, one range after the other. */
async function rowsAfter<Context>(
  search: Search<Context>,
  order: SqlOrder,
  position: CursorPosition | null,
  limit: number,
): Promise<{ readonly found: readonly Found[]; readonly isCut: boolean }> {
  const found: Found[] = []
  for (const { where, orderBy, isAssigned } of rangesAfter(search.session, order, position)) {
    if (found.length === limit) break
    const range = { range: where, orderBy, limit: limit - found.length }
    const { rows, sizes, isCut } = await selectRange(search, range, position)
    found.push(...rows.map((row, at) => ({ row, isAssigned, bytes: sizes[at] ?? 0 })))
    if (isCut) return { found, isCut }
  }
  return { found, isCut: false }
}

function positionOf<Context>(
  { map }: Session<Context>,
  { key }: SqlOrder,
  { row, isAssigned }: Omit<Found, 'bytes'>,
): CursorPosition {
  return { id: idOf(map, row), key: key !== null && isAssigned ? keyInRow(key, row) : null }
}

/** The current sort key of a resource; undefined if it does not match any more. */
async function currentKey<Context>(
  search: Search<Context>,
  order: SqlOrder,
  id: string,
): Promise<CursorPosition['key'] | undefined> {
  const { session } = search
  const column = session.column(session.map.id.name)
  const range = sql`${column} = ${keyOf(session, id)}`
  const { rows } = await selectRows(search, { range, orderBy: column, limit: 1 })
  const [row] = rows
  return row && positionOf(session, order, { row, isAssigned: true }).key
}

/** Rejects the key of a cursor that the column cannot contain, such as a number that is too large. */
async function selectRange<Context>(
  search: Search<Context>,
  range: Parameters<typeof selectRows>[1],
  position: CursorPosition | null,
): Promise<SelectedRows> {
  try {
    return await selectRows(search, range)
  } catch (error) {
    if (position === null || violationOf(error, search.session.map) === null) throw error
    throw invalidCursor('the cursor is not valid')
  }
}

/** How many rows one statement reads if a filter must run over them. */
const BATCH = 200
