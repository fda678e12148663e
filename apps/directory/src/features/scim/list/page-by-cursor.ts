import type { Scim } from '@plumbline/scim'
import { listByCursor, type Place, readCursor, writeCursor } from '@plumbline/scim/internal'
import type { TenantScope } from '../scope.ts'
import { cursorQuery } from './cursor-query.ts'
import type { Listing, Show, Stored } from './list.ts'
import { planSearch } from './plan-query.ts'
import { readKey, rowListOf } from './row-list.ts'

/** Reads one page by cursor (RFC 9865 §2). */
export async function pageByCursor<Row extends Stored, Resource>(
  scope: TenantScope,
  query: Scim.ListQuery,
  listing: Listing<Row>,
  show: Show<Row, Resource>,
): Promise<Scim.CursorPage<Resource>> {
  const cursors = cursorQuery(scope, listing.type, query)
  const search = await planSearch(scope, query, listing)
  const listed = { scope, query, listing, search }
  const sent = await readCursor(cursors, query.cursor ?? '')
  const place = sent && (await sent.place((id) => readKey(listed, id)))
  const { resources, totalResults, next, previous } = await listByCursor(
    rowListOf(listed),
    { place, count: query.count },
    (candidates) => show(candidates.map(({ row }) => row)),
  )
  const write = async (to: Place | null): Promise<string | undefined> =>
    to === null ? undefined : await writeCursor(cursors, to)
  return {
    resources,
    // Counting a million resources costs more than the page: the total is only set if the list has one page.
    totalResults: place === null && next === null ? totalResults : undefined,
    nextCursor: await write(next),
    previousCursor: await write(previous),
  }
}
