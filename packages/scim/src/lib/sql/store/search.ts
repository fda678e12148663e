import { unwrap } from '@plumbline/result'
import type { ListRequest, WireResource } from '../../endpoint/store.ts'
import { badRequest } from '../../error.ts'
import { compileFilter } from '../../filter/compile.ts'
import type { Expression } from '../../filter/tree.ts'
import { own } from '../../json.ts'
import { findAll } from '../../list/search.ts'
import { type Fragment, sql } from '../fragment.ts'
import { neededValues, resourcesOf } from './read.ts'
import { idOf, selectedColumns } from './rows.ts'
import type { Session } from './session.ts'
import type { SqlRow } from './types.ts'
import { countValues, MOST_VALUES } from './values.ts'

/** A list request, with the part of it that the database does. */
export interface Search<Context> {
  readonly session: Session<Context>
  readonly request: ListRequest
  readonly context: Context
  readonly where: Fragment
  /** The filter that the selected rows must still pass; null if the condition is exact. */
  readonly residual: Expression | null
}

/** Some rows of a search. */
interface Selection {
  readonly orderBy: Fragment
  readonly limit: number
  /** The number of rows that precede the first one; none by default. */
  readonly skip?: number
  /** Only the rows that fulfil a further condition. */
  readonly range?: Fragment | null
}

/** The first rows of a selection. */
export interface SelectedRows {
  readonly rows: readonly SqlRow[]
  /** The sizes (bytes) of their documents; empty if they need not be known. */
  readonly sizes: readonly number[]
  /** Whether the selection has more rows, whose documents would be too large together. */
  readonly isCut: boolean
}

/** Reads as many rows as have documents of at most 16 MiB together, and at least one. */
export async function selectRows<Context>(
  search: Search<Context>,
  selection: Selection,
): Promise<SelectedRows> {
  const { document } = search.session.map
  const columns = selectedColumns(search.session)
  if (document === null || selection.limit === 1) {
    return { rows: await select(search, selection, columns), sizes: [], isCut: false }
  }
  const sizes = await sizesOf(search, selection)
  let sum = 0
  const end = sizes.findIndex((size, at) => {
    sum += size
    return sum > MOST_IN_PAGE && at > 0
  })
  const limit = end === -1 ? sizes.length : end
  const rows = limit === 0 ? [] : await select(search, { ...selection, limit }, columns)
  return { rows, sizes, isCut: end !== -1 }
}

/** The sizes (bytes) of the documents of a selection. */
async function sizesOf<Context>(
  search: Search<Context>,
  selection: Selection,
): Promise<readonly number[]> {
  const { map, rules, column, name } = search.session
  const { document } = map
  if (document === null) return []
  const size = sql`${rules.bytes(column(document.column))} as ${name('size')}`
  return (await select(search, selection, size)).map((row) => Number(own(row, 'size') ?? 0))
}

async function select<Context>(
  { session, where, context }: Search<Context>,
  { orderBy, limit, skip = 0, range = null }: Selection,
  columns: Fragment,
): Promise<readonly SqlRow[]> {
  const condition = range === null ? where : sql`${where} and ${range}`
  const table = session.name(session.options.table)
  return await session.run(
    sql`select ${columns} from ${table} where ${condition} order by ${orderBy} limit ${limit} offset ${skip}`,
    context,
  )
}

/** Rows, and how many values each has in other tables. */
interface FittingRows {
  readonly rows: readonly SqlRow[]
  readonly sizes: readonly number[]
}

/** The first rows that together do not have too many values in other tables; always at least one. */
export async function fitRows<Context>(
  { session, request, context }: Search<Context>,
  rows: readonly SqlRow[],
): Promise<FittingRows> {
  const ids = rows.map((row) => idOf(session.map, row))
  const counts: ReadonlyMap<string, number>[] = []
  for (const values of rows.length > 1 ? neededValues(session, request.view) : []) {
    counts.push(await countValues(session, values, ids, context))
  }
  const sizes = ids.map((id) => counts.reduce((sum, each) => sum + (each.get(id) ?? 0), 0))
  let sum = 0
  const end = sizes.findIndex((size, at) => {
    sum += size
    return sum > MOST_VALUES && at > 0
  })
  return { rows: end === -1 ? rows : rows.slice(0, end), sizes }
}

export async function show<Context>(
  { session, request, context }: Search<Context>,
  rows: readonly SqlRow[],
): Promise<WireResource[]> {
  return await resourcesOf(session, rows, request, context)
}

/** All resources of a search. Throws `400 tooMany` if they are more than may be finished in memory. */
export async function showCandidates<Context>(search: Search<Context>): Promise<WireResource[]> {
  const { session } = search
  const candidates = candidatesOf(session)
  const orderBy = session.column(session.map.id.name)
  const next = async (limit: number) => {
    const sizes = await sizesOf(search, { orderBy, limit })
    if (sizes.reduce((sum, size) => sum + size, 0) > MOST_SEARCHED) {
      throw badRequest('tooMany', 'the resources to be searched in memory are too large')
    }
    const rows = await select(search, { orderBy, limit }, selectedColumns(session))
    return { rows, isLast: true }
  }
  const found = { source: { next }, matches: null, candidates, batch: candidates + 1 }
  return await show(search, await findAll(found, { keep: (row) => row }))
}

/** The rest of the filter; null if the condition of the database is exact. */
export function compileResidual<Context>({
  session,
  request,
  residual,
}: Search<Context>): ((resource: WireResource) => boolean) | null {
  if (residual === null) return null
  const { definitions } = session.options
  const matches = unwrap(compileFilter(residual, { definitions, budget: request.budget }))
  return (resource) => matches(request.complete(resource))
}

export function candidatesOf<Context>({ options }: Session<Context>): number {
  return options.candidates ?? 10_000
}

/** The maximum size of the documents of a page, in bytes. */
export const MOST_IN_PAGE: number = 16 * 2 ** 20
/** The maximum size of the documents that one search reads into memory, in bytes. */
const MOST_SEARCHED = 64 * 2 ** 20
