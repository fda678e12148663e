import type { ListAnswer, WireResource } from '../../endpoint/store.ts'
import { type Order, rowsAfter, sortRows } from '../../list/page.ts'
import { sourceOfList } from '../../list/row-source.ts'
import { findAll } from '../../list/search.ts'
import { createSortOrder } from '../../resource/sort.ts'
import { compareText } from '../../values/code-point-order.ts'
import { type CursorPosition, type CursorQuery, type SentCursor, writeCursor } from './cursor.ts'
import { candidatesOf, compileResidual, type Search, showCandidates } from './search.ts'

/** A page by cursor of all matches, which are sorted in memory. A position is a sort key and an id here, too. */
export async function pageInMemory<Context>(
  search: Search<Context>,
  query: CursorQuery,
  sent: SentCursor | null,
): Promise<ListAnswer> {
  const resources = await findAll({
    source: sourceOfList(await showCandidates(search)),
    matches: compileResidual(search),
    candidates: candidatesOf(search.session),
    batch: BATCH,
  })
  const order = orderOf(search, resources.length)
  const sorted = sortRows(resources, order)
  const keyById = async (id: string) => sorted.find((one) => one.position.id === id)?.position.key
  const left = rowsAfter(sorted, sent && (await sent.position(keyById)), order.compare)
  const { count } = search.request
  const page = left.slice(0, count)
  const last = left.length > count ? page.at(-1)?.position : undefined
  return {
    resources: page.map(({ row }) => row),
    totalResults: sorted.length,
    applied: ['filter', 'sort', 'page'],
    nextCursor: last && (await writeCursor(query, { ...last, isInMemory: true })),
  }
}

function orderOf<Context>(
  { request, session }: Search<Context>,
  count: number,
): Order<WireResource, CursorPosition> {
  const { sortBy, sortOrder, budget } = request
  const { definitions } = session.options
  const query = { sortBy: sortBy ?? undefined, sortOrder }
  const { read, compare } = createSortOrder(query, definitions, { count, budget })
  return {
    positionOf: (resource) => ({
      id: String(resource.id),
      key: keyOf(read(request.complete(resource))),
    }),
    compare: (a, b) => compare(a.key ?? undefined, b.key ?? undefined) || compareText(a.id, b.id),
  }
}

/** Sort keys are strings, numbers and booleans. */
function keyOf(key: unknown): CursorPosition['key'] {
  return typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean' ? key : null
}

/** How many resources are tested before other requests may run. */
const BATCH = 64
