import { unwrap } from '@plumbline/result'
import type { ListRequest, WireResource } from '../../endpoint/options/store.ts'
import { compileFilter } from '../../filter/compile.ts'
import type { Expression } from '../../filter/tree.ts'
import { countWithin } from '../../list/fits-within.ts'
import { type RangeRows, sourceOfRanges } from '../../list/range-source.ts'
import { findAll } from '../../list/search.ts'
import { cellOf } from '../cells.ts'
import { type Fragment, sql } from '../fragment.ts'
import { type RowRange, readRange, type TableRows } from '../table-rows.ts'
import { rangesFrom } from './ranges.ts'
import { bindKeys, keyOf, neededValues, resourcesOf } from './read.ts'
import { idOf, selectedColumns } from './rows.ts'
import type { Session } from './session.ts'
import type { SqlRow } from './types.ts'
import { countValues, MAX_VALUES } from './values.ts'

/** A list request and the part the database handles. */
export interface Search {
  readonly session: Session
  readonly request: ListRequest
  readonly where: Fragment
  /** The filter the selected rows must still pass; null if the condition is exact. */
  readonly residual: Expression | null
}

/** Reads rows from the start of a range while their documents total at most 16 MiB; always reads at least one. */
export async function selectRows(search: Search, range: RowRange): Promise<RangeRows<SqlRow>> {
  return await readRange(tableOf(search), range, { most: MAX_PAGE_BYTES, few: FEW })
}

function tableOf(search: Search): TableRows<SqlRow> {
  const { session, where } = search
  const { map, rules, options, column, name, run } = session
  const { document } = map
  return {
    run,
    source: sql`${name(options.table)} where ${where}`,
    columns: selectedColumns(session),
    id: column(map.id.name),
    idOf: (row) => idOf(session, row),
    keyOf: (id) => bindKeys(session, [keyOf(session, id)]),
    size: document && sql`coalesce(${rules.bytes(column(document.column))}, 0)`,
    sizeOf: (row) => bytesOf(search, row),
  }
}

/** Returns the bytes of a row's document in UTF-8, as the database counts them; 0 without a document. */
export function bytesOf({ session }: Search, row: SqlRow): number {
  const { document } = session.map
  const stored = document && cellOf(row, document.column)
  if (stored === null || stored === undefined) return 0
  const text = typeof stored === 'string' ? stored : JSON.stringify(stored)
  return new TextEncoder().encode(text).length
}

/** Rows, with each row's value count in other tables. */
interface FittingRows {
  readonly rows: readonly SqlRow[]
  readonly sizes: readonly number[]
}

/** Trims rows so their values in other tables stay under the limit; always keeps one row. */
export async function fitRows(
  { session, request }: Search,
  rows: readonly SqlRow[],
): Promise<FittingRows> {
  const ids = rows.map((row) => idOf(session, row))
  const counts: ReadonlyMap<string, number>[] = []
  for (const values of rows.length > 1 ? neededValues(session, request.view) : []) {
    counts.push(await countValues(session, values, ids))
  }
  const sizes = ids.map((id) => counts.reduce((sum, each) => sum + (each.get(id) ?? 0), 0))
  return { rows: rows.slice(0, countWithin(sizes, MAX_VALUES)), sizes }
}

export async function show(
  { session, request }: Search,
  rows: readonly SqlRow[],
): Promise<WireResource[]> {
  return await resourcesOf(session, rows, request)
}

/** Reads all resources for a search. Throws `400 tooMany` if there are too many to finish in memory. */
export async function showCandidates(search: Search): Promise<WireResource[]> {
  const { session } = search
  const candidates = candidatesOf(session)
  const order = { key: null, isDescending: false }
  const source = sourceOfRanges(null, {
    rangesFrom: (place) => rangesFrom(session, order, place),
    read: (range, limit) => selectRows(search, { ...range, limit }),
    positionOf: (row: SqlRow) => ({ id: idOf(session, row), key: null }),
    load: async (rows) => rows,
  })
  const batch = session.map.document === null ? candidates + 1 : BATCH
  const all = { source, matches: null, sizeOf: (row: SqlRow) => bytesOf(search, row) }
  const found = await findAll(
    { ...all, candidates, batch },
    { keep: (row) => row, most: MAX_SEARCHED_BYTES },
  )
  return await show(search, found)
}

/** Compiles the rest of the filter; null if the database's condition is exact. */
export function compileResidual({
  session,
  request,
  residual,
}: Search): ((resource: WireResource) => boolean) | null {
  if (residual === null) return null
  const { definitions } = session.options
  const matches = unwrap(compileFilter(residual, { definitions, budget: request.budget }))
  return (resource) => matches(request.complete(resource))
}

export function candidatesOf({ options }: Session): number {
  return options.candidates ?? 10_000
}

/** The maximum total size of a page's documents. */
export const MAX_PAGE_BYTES: number = 16 * 2 ** 20
/** How many documents always fit into a page: each has at most 2 MiB. */
const FEW = 8
/** How many documents are read together for a search in memory. */
const BATCH = 1_000
/** The maximum total size of the documents one search reads into memory. */
const MAX_SEARCHED_BYTES = 64 * 2 ** 20
