import { unwrap } from '@plumbline/result'
import type { ListAnswer, ListRequest, WireResource } from '../../endpoint/store.ts'
import { badRequest } from '../../error.ts'
import { compileFilter } from '../../filter/compile.ts'
import type { Expression } from '../../filter/tree.ts'
import { compareResources } from '../../resource/sort.ts'
import { filterFragment } from '../filter-to-sql.ts'
import { type Fragment, sql } from '../fragment.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { keyOf, neededValues, resourcesOf } from './read.ts'
import { idOf, selectedColumns } from './rows.ts'
import type { Session } from './session.ts'
import { orderOf, type SqlOrder } from './sort.ts'
import type { SqlRow } from './types.ts'
import { countValues, MOST_VALUES } from './values.ts'

/** A list request, with the part of it that the database does. */
interface Search<Context> {
  readonly session: Session<Context>
  readonly request: ListRequest
  readonly context: Context
  readonly where: Fragment
  /** The filter that the selected rows must still pass; null if the condition is exact. */
  readonly residual: Expression | null
}

/** Lists resources. The database filters, sorts and pages as far as it does so exactly. */
export async function listRows<Context>(
  session: Session<Context>,
  request: ListRequest,
  context: Context,
): Promise<ListAnswer> {
  const { filter, sortBy, sortOrder, cursor } = request
  const { options, map } = session
  const scope = session.scope(context)
  const translated =
    filter === null
      ? { where: null, residual: null }
      : unwrap(filterFragment(filter, map.columns, options.dialect, options.table))
  const { residual } = translated
  const where = translated.where === null ? scope : sql`${scope} and ${translated.where}`
  const search: Search<Context> = { session, request, context, where, residual }
  if (cursor !== null && sortBy === null) return await pageByKey(search)
  const order = residual === null ? orderOf(session, sortBy, sortOrder) : null
  const counted = order && (await count(search, order))
  if (order && counted && (counted.inexact === 0 || counted.total > candidatesOf(session))) {
    return await pageByIndex(search, order, counted.total)
  }
  return await finishInMemory(search)
}

/** Counts the matches, and those that the database would sort unlike memory. */
async function count<Context>(
  { session, where, context }: Search<Context>,
  { isInexact }: SqlOrder,
): Promise<{ readonly total: number; readonly inexact: number }> {
  const inexact =
    isInexact === null
      ? sql``
      : sql`, count(case when ${isInexact} then 1 end) as ${session.name('inexact')}`
  const [row] = await session.run(
    sql`select count(*) as ${session.name('total')}${inexact} from ${session.name(session.options.table)} where ${where}`,
    context,
  )
  return { total: Number(row?.total ?? 0), inexact: Number(row?.inexact ?? 0) }
}

async function pageByIndex<Context>(
  search: Search<Context>,
  { orderBy }: SqlOrder,
  totalResults: number,
): Promise<ListAnswer> {
  const { request } = search
  const position = await readCursor(request)
  const skip = position === null ? request.startIndex - 1 : 'skip' in position ? position.skip : 0
  const isBeyond = request.count === 0 || skip >= totalResults
  const rows = isBeyond ? [] : await selectRows(search, { orderBy, limit: request.count, skip })
  const kept = await fitRows(search, rows)
  const resources = await show(search, kept)
  const next = skip + kept.length
  const hasNext = request.cursor !== null && next < totalResults && kept.length > 0
  return {
    resources,
    totalResults,
    applied: ['filter', 'sort', 'page'],
    ...(hasNext ? { nextCursor: await writeCursor(request, { skip: next }) } : {}),
  }
}

/** A page in the order of ids, after the last id of the page before (keyset). */
async function pageByKey<Context>(search: Search<Context>): Promise<ListAnswer> {
  const { session, request, residual } = search
  const orderBy = session.column(session.map.id.name)
  const matches = residual === null ? null : compile(search, residual)
  const position = await readCursor(request)
  let after: string | null = position !== null && 'after' in position ? position.after : null
  const resources: WireResource[] = []
  let hasNext = false
  for (let read = 0; !hasNext; ) {
    const missing = request.count + 1 - resources.length
    const limit = matches === null ? missing : Math.max(missing, BATCH)
    const rows = await selectRows(search, { orderBy, limit, skip: 0, after })
    const kept = await fitRows(search, rows)
    read += kept.length
    for (const resource of await show(search, kept)) {
      if (resources.length === request.count) {
        hasNext = true
        break
      }
      after = String(resource.id)
      if (matches === null || matches(resource)) resources.push(resource)
    }
    hasNext ||= kept.length < rows.length && resources.length > 0
    if (rows.length < limit && kept.length === rows.length) break
    if (read > candidatesOf(session) && matches !== null) throw tooMany(session)
  }
  const cursor = hasNext && after !== null ? await writeCursor(request, { after }) : undefined
  return {
    resources,
    applied: ['filter', 'sort', 'page'],
    ...(cursor === undefined ? {} : { nextCursor: cursor }),
  }
}

/** Reads all candidates. The endpoint filters, sorts and pages them, unless a cursor requires it here. */
async function finishInMemory<Context>(search: Search<Context>): Promise<ListAnswer> {
  const { session, request, residual } = search
  const orderBy = session.column(session.map.id.name)
  const limit = candidatesOf(session) + 1
  const rows = await selectRows(search, { orderBy, limit, skip: 0 })
  if (rows.length === limit) throw tooMany(session)
  const resources = await show(search, rows)
  if (request.cursor === null) {
    return { resources, applied: residual === null ? ['filter'] : [] }
  }
  const found = residual === null ? resources : resources.filter(compile(search, residual))
  const { sortBy, sortOrder } = request
  found.sort(
    compareResources({ sortBy: sortBy ?? undefined, sortOrder }, session.options.definitions),
  )
  const position = await readCursor(request)
  const skip = position !== null && 'skip' in position ? position.skip : 0
  const next = skip + request.count
  const hasNext = next < found.length
  return {
    resources: found.slice(skip, next),
    totalResults: found.length,
    applied: ['filter', 'sort', 'page'],
    ...(hasNext ? { nextCursor: await writeCursor(request, { skip: next }) } : {}),
  }
}

interface Selection {
  readonly orderBy: Fragment
  readonly limit: number
  readonly skip: number
  /** Only rows with a greater id. */
  readonly after?: string | null
}

async function selectRows<Context>(
  { session, where, context }: Search<Context>,
  { orderBy, limit, skip, after = null }: Selection,
): Promise<readonly SqlRow[]> {
  const key = after === null ? null : keyOf(session, after)
  const rest = key === null ? sql`` : sql` and ${session.column(session.map.id.name)} > ${key}`
  const table = session.name(session.options.table)
  return await session.run(
    sql`select ${selectedColumns(session)} from ${table} where ${where}${rest} order by ${orderBy} limit ${limit} offset ${skip}`,
    context,
  )
}

/** As many of the first rows as do not have too many values in other tables, and at least one. */
async function fitRows<Context>(
  { session, request, context }: Search<Context>,
  rows: readonly SqlRow[],
): Promise<readonly SqlRow[]> {
  const ids = rows.map((row) => idOf(session.map, row))
  const counts = []
  for (const values of rows.length > 1 ? neededValues(session, request.view) : []) {
    counts.push(await countValues(session, values, ids, context))
  }
  let sum = 0
  for (const [at, id] of ids.entries()) {
    for (const each of counts) sum += each.get(id) ?? 0
    if (sum > MOST_VALUES && at > 0) return rows.slice(0, at)
  }
  return rows
}

async function show<Context>(
  { session, request, context }: Search<Context>,
  rows: readonly SqlRow[],
): Promise<WireResource[]> {
  return await resourcesOf(session, rows, request, context)
}

function compile<Context>(
  { session, request }: Search<Context>,
  residual: Expression,
): (resource: object) => boolean {
  const { definitions } = session.options
  return unwrap(compileFilter(residual, { definitions, budget: request.budget }))
}

function candidatesOf<Context>({ options }: Session<Context>): number {
  return options.candidates ?? 10_000
}

function tooMany<Context>(session: Session<Context>): Error {
  return badRequest('tooMany', `the search has more than ${candidatesOf(session)} candidates`)
}

const BATCH = 200
