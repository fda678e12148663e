import type { ListAnswer, ListRequest } from '../../endpoint/options/store.ts'
import { sql } from '../fragment.ts'
import { countSorted } from './count.ts'
import { pageByCursor } from './page-by-cursor.ts'
import { fitRows, type Search, selectRows, show, showCandidates } from './search.ts'
import type { Session } from './session.ts'
import { orderBy, orderOf, type SqlOrder } from './sort.ts'

/** Lists resources. The database filters, sorts and pages as far as it can do so exactly. */
export async function listRows(session: Session, request: ListRequest): Promise<ListAnswer> {
  const { filter, sortBy, sortOrder, cursor } = request
  const { map } = session
  const scope = session.scope()
  const translated =
    filter === null ? { where: null, residual: null } : await session.filter(filter, map.columns)
  const { residual } = translated
  const where = translated.where === null ? scope : sql`${scope} and ${translated.where}`
  const search: Search = { session, request, where, residual }
  const order = orderOf(session, sortBy, sortOrder)
  if (cursor !== null) return await pageByCursor(search, order)
  const total = order && residual === null ? await countSorted(search, order) : null
  if (order !== null && total !== null) return await pageByIndex(search, order, total)
  // The endpoint filters, sorts and pages the candidates.
  const resources = await showCandidates(search)
  return { resources, applied: residual === null ? ['filter'] : [] }
}

async function pageByIndex(
  search: Search,
  order: SqlOrder,
  totalResults: number,
): Promise<ListAnswer> {
  const { session, request } = search
  const skip = request.startIndex - 1
  const isBeyond = request.count === 0 || skip >= totalResults
  const page = { where: null, orderBy: orderBy(session, order), limit: request.count, skip }
  const { rows } = isBeyond ? { rows: [] } : await selectRows(search, page)
  const resources = await show(search, (await fitRows(search, rows)).rows)
  return { resources, totalResults, applied: ['filter', 'sort', 'page'] }
}
