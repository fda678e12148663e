import { createTurns } from '../bulk/turns.ts'
import { badRequest } from '../error.ts'
import type { RowSource } from './row-source.ts'

/** A search over a source's rows. */
export interface Search<Row> {
  readonly source: RowSource<Row>
  /** Tests a row with the filter part the source has not applied; null if every row matches. */
  readonly matches: ((row: Row) => boolean) | null
  /** Returns a row's size, in the unit of the limits; 0 by default. */
  readonly sizeOf?: ((row: Row) => number) | undefined
  /** The maximum number of rows read to test or sort them. */
  readonly candidates: number
  /** How many rows are tested before other requests may run. */
  readonly batch: number
}

/** The values `findAll` returns. */
export interface Kept<Row, Value> {
  /** Returns the part of a matching row to keep. */
  readonly keep: (row: Row) => Value
  /** The maximum total size of the read rows. Unlimited by default. */
  readonly most?: number | undefined
}

/**
 * Reads every matching row. Throws `400 tooMany` if the source has more rows than `candidates`, or if their total size
 * exceeds `most`.
 */
export async function findAll<Row, Value>(
  { source, matches, sizeOf, candidates, batch }: Search<Row>,
  { keep, most = Number.POSITIVE_INFINITY }: Kept<Row, Value>,
): Promise<Value[]> {
  if ((source.size ?? 0) > candidates) throw tooManyCandidates(candidates)
  const nextTurn = createTurns()
  const found: Value[] = []
  let size = 0
  for (let read = 0; ; await nextTurn()) {
    const { rows, isLast } = await source.next(Math.min(batch, candidates + 1 - read))
    read += rows.length
    if (read > candidates) throw tooManyCandidates(candidates)
    if (sizeOf !== undefined) for (const row of rows) size += sizeOf(row)
    if (size > most) throw badRequest('tooMany', 'the search must read too much into memory')
    for (const row of matches === null ? rows : rows.filter(matches)) found.push(keep(row))
    if (isLast) return found
  }
}

/** The first matching rows. */
export interface Window<Row> {
  readonly rows: readonly Row[]
  /** Whether more rows follow that may match. */
  readonly hasMore: boolean
}

/** A page's limits. */
export interface PageLimits {
  /** The maximum number of rows. */
  readonly count: number
  /** The maximum total size of the rows. A page has at least one row. Unlimited by default. */
  readonly most?: number | undefined
}

/**
 * Reads until a page of matching rows is full, and one row further, which shows whether another page follows. Throws
 * `400 tooMany` if it must read more rows than `candidates` to find them.
 */
export async function findPage<Row>(
  { source, matches, sizeOf = () => 0, candidates, batch }: Search<Row>,
  { count, most = Number.POSITIVE_INFINITY }: PageLimits,
): Promise<Window<Row>> {
  const nextTurn = createTurns()
  const found: Row[] = []
  let size = 0
  for (let read = 0; ; await nextTurn()) {
    const missing = count + 1 - found.length
    const limit =
      matches === null ? missing : Math.min(Math.max(missing, batch), candidates + 1 - read)
    const { rows, isLast, isCut = false } = await source.next(limit)
    read += rows.length
    for (const row of rows) {
      if (matches !== null && !matches(row)) continue
      size += sizeOf(row)
      const isFull = found.length >= count || (size > most && found.length > 0)
      if (isFull) return { rows: found, hasMore: true }
      found.push(row)
    }
    if (isLast) return { rows: found, hasMore: false }
    if (size > most || (matches === null && isCut)) return { rows: found, hasMore: true }
    if (matches === null || read <= candidates) continue
    if (found.length < count) throw tooManyCandidates(candidates)
    return { rows: found, hasMore: true }
  }
}

/** The error for a search that must read too many rows. */
function tooManyCandidates(candidates: number): Error {
  return badRequest('tooMany', `the query must search more than ${candidates} resources in memory`)
}
