import { setImmediate as nextTurn } from 'node:timers/promises'
import { isFailure, unwrap } from '@plumbline/result'
import { project, type Scim } from '@plumbline/scim'
import { compileFilter, type Filter, parsePath, stringifyPath } from '@plumbline/scim/filter'
import type { TenantScope } from '../scope.ts'
import { MOST_SEARCHED, tooLarge } from '../sizes.ts'
import type { Listing, Stored, WireResource } from './list.ts'
import { MOST_CANDIDATES, orderOf, type Search, tooMany } from './plan-query.ts'
import { rowsIn } from './read-rows.ts'

/** A resource that a search found. The page reads it again by its id. */
export interface Found {
  readonly id: string
  readonly size: number
  /** The part that contains its sort key; empty if the database sorts. */
  readonly key: WireResource
}

/** Finds the resources that match a query in memory, in the order in which the database reads them. */
export async function findInMemory<Row extends Stored>(
  scope: TenantScope,
  query: Scim.ListQuery,
  search: Search,
  listing: Listing<Row>,
): Promise<Found[]> {
  const read = createKeyReader(query, listing)
  const found: Found[] = []
  for await (const rows of readBatches(scope, search, listing)) {
    for (const { row, wire } of await keepMatching(scope, rows, search.residual, listing)) {
      const key = search.isSorted ? {} : read(wire)
      found.push({ id: row.id, size: listing.sizeOf(row), key })
    }
  }
  return found
}

/** The rows that a search must read, in batches. Other requests can run between two batches. */
async function* readBatches<Row extends Stored>(
  scope: TenantScope,
  search: Search,
  listing: Listing<Row>,
): AsyncGenerator<readonly Row[]> {
  const all = { where: search.where, orderBy: orderOf(search) }
  let size = 0
  for (let offset = 0; ; await nextTurn()) {
    const range = { ...all, limit: BATCH, offset }
    const { rows, isCut } = await rowsIn(scope, listing, range, BATCH_SIZE)
    await turnFor(scope, rows, listing)
    offset += rows.length
    size += rows.reduce((sum, row) => sum + listing.sizeOf(row), 0)
    if (offset > MOST_CANDIDATES) throw tooMany()
    if (size > MOST_SEARCHED) throw tooLarge('the resources to be searched', MOST_SEARCHED)
    yield rows
    if (rows.length < BATCH && !isCut) return
  }
}

/** Waits for a turn of the event loop before work on rows that are large together. */
export async function turnFor<Row>(
  { turn }: TenantScope,
  rows: readonly Row[],
  { sizeOf }: Pick<Listing<Row>, 'sizeOf'>,
): Promise<void> {
  const size = rows.reduce((sum, row) => sum + sizeOf(row), 0)
  if (size > LARGE) await turn?.()
}

/** A row, and its wire resource for the filter and the sort order. */
interface Candidate<Row> {
  readonly row: Row
  readonly wire: WireResource
}

/** The rows that match the rest of the filter. */
export async function keepMatching<Row>(
  scope: TenantScope,
  rows: readonly Row[],
  residual: Filter.Expression | null,
  { definitions, toWire }: Listing<Row>,
): Promise<readonly Candidate<Row>[]> {
  const holds = residual === null ? () => true : compileResidual(residual, definitions, scope)
  const found: Candidate<Row>[] = []
  for (let left = rows; left.length > 0; ) {
    const wires = await toWire(scope, left, residual)
    for (const [at, row] of left.slice(0, wires.length).entries()) {
      const wire = wires[at] ?? {}
      if (holds(wire)) found.push({ row, wire })
    }
    left = left.slice(wires.length)
  }
  return found
}

function compileResidual(
  residual: Filter.Expression,
  definitions: Listing<unknown>['definitions'],
  { budget }: TenantScope,
): (wire: WireResource) => boolean {
  return unwrap(compileFilter(residual, { definitions, budget }))
}

/** Creates a function that returns the part of a resource with its sort key. */
export function createKeyReader<Row>(
  { sortBy = 'id' }: Scim.ListQuery,
  { definitions }: Listing<Row>,
): (wire: WireResource) => WireResource {
  // The preferred value can only be chosen from the whole attribute.
  const path = parsePath(sortBy)
  const attribute = isFailure(path) ? sortBy : stringifyPath({ ...path.data, subAttribute: null })
  const whole = { attributes: [attribute] }
  const part = { attributes: [sortBy] }
  return (wire) => project(withPreferred(project(wire, whole, definitions)), part, definitions)
}

/** Reduces several values to the one that is sorted by, because a cursor must fit into a URL. */
function withPreferred(wire: WireResource): WireResource {
  return JSON.parse(
    JSON.stringify(wire, (_, value: unknown) => {
      if (!Array.isArray(value)) return value
      return value
        .filter((one) => Object(one).primary === true)
        .concat(value)
        .slice(0, 1)
    }),
  )
}

/** The number of rows that are read in one batch while a filter runs over them. */
const BATCH = 1_000
const BATCH_SIZE = 2 * 2 ** 20
/** In code units: rows up to this size together are work of a few milliseconds. */
const LARGE = 64 * 1024
