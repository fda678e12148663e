import {
  type CursorQuery,
  invalidCursor,
  readCursor,
  type SentCursor,
  writeCursor,
} from '../../list/cursor.ts'
import type { Place } from '../../list/position.ts'
import type { ListQuery } from '../../model.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { ListAnswer } from '../options/store.ts'

/** A query for a page by cursor. */
export type QueryByCursor = ListQuery & { readonly cursor: string }

/**
 * Returns the query for a store. If a store pages but does not have cursors, it is asked for a page by index: the
 * cursor is that index. Like other pages by index, it may skip or repeat a resource if others are inserted or deleted.
 */
export async function queryOfStore(query: ListQuery, type: ServedType<never>): Promise<ListQuery> {
  const { cursor, ...others } = query
  if (cursor === undefined || type.store.cursors !== undefined) return query
  const search = cursorQuery(query, type)
  const sent = await readCursor(search, cursor)
  if (sent === null || sent.isInMemory) return others
  const { key } = await sent.place(async () => null)
  if (!Number.isSafeInteger(key) || Number(key) < 1) throw invalidCursor('the cursor is not valid')
  return { ...others, startIndex: Number(key) }
}

/**
 * Reads a cursor's place; null for the first page. Throws `400 invalidCursor` if the cursor was written for the other
 * kind of list: sorted in memory, or not.
 */
export async function readPlace(
  query: QueryByCursor,
  type: ServedType<never>,
  { isInMemory }: Pick<SentCursor, 'isInMemory'>,
): Promise<Place | null> {
  const sent = await readCursor(cursorQuery(query, type), query.cursor)
  if (sent === null) return null
  // The store answers in another way than before.
  if (sent.isInMemory !== isInMemory) throw invalidCursor('the cursor is not valid any more')
  return await sent.place(async () => undefined)
}

/** Writes the cursor for a place in a list sorted in memory; undefined for null. */
export async function cursorOf(
  place: Place | null,
  query: ListQuery,
  type: ServedType<never>,
): Promise<string | undefined> {
  if (place === null) return undefined
  return await writeCursor(cursorQuery(query, type), { ...place, isInMemory: true })
}

/** Writes the cursor for the page after a page by index; undefined on the last page. */
export async function cursorAfter(
  { totalResults = 0 }: ListAnswer,
  query: ListQuery,
  { type, shown }: { readonly type: ServedType<never>; readonly shown: number },
): Promise<string | undefined> {
  const next = query.startIndex + shown
  // A page without resources could be followed by itself.
  if (shown === 0 || next > totalResults) return undefined
  const search = cursorQuery(query, type)
  return await writeCursor(search, { id: '', key: next, isForward: true, isInclusive: true })
}

function cursorQuery(
  { filter, sortBy, sortOrder }: ListQuery,
  { core }: ServedType<never>,
): CursorQuery {
  const search = { filter: filter ?? null, sortBy: sortBy ?? null, sortOrder }
  return { list: [core], ...search, now: Date.now() }
}
