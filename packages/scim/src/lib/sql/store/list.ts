import type { ListAnswer, ListRequest } from '../../endpoint/store.ts'
import { sql } from '../fragment.ts'
import { countSorted } from './count.ts'
import { pageByCursor } from './page-by-cursor.ts'
import { fitRows, type Search, selectRows, show, showCandidates } from './search.ts'
import type { Session } from './session.ts'
import { orderBy, orderOf, type SqlOrder } from './sort.ts'

/** Lists resources. The database filters, sorts and pages as far as it can do so exactly. */
export async function listRows<Context>(
  session: Session<Context>,
  context: Context,
  request: ListRequest,
): Promise<ListAnswer> {
  const { filter, sortBy, sortOrder, cursor } = request
  const { map } = session
  const scope = session.scope(context)
  const translated =
    filter === null
      ? { where: null, residual: null }
      : await session.filter(filter, map.columns, context)
  const { residual } = translated
  const where = translated.where === null ? scope : sql`${scope} and ${translated.where}`
  const search: Search<Context> = { session, request, context, where, residual }
  const order = orderOf(session, sortBy, sortOrder)
  if (cursor !== null) return await pageByCursor(search, order)
  const total = order && residual === null ? await countSorted(search, order) : null
  if (order !== null && total !== null) return await pageByIndex(search, order, total)
  // The endpoint filters, sorts and pages the candidates.
  const resources = await showCandidates(search)
  return { resources, applied: residual === null ? ['filter'] : [] }
}

async function pageByIndex<Context>(
  search: Search<Context>,
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
