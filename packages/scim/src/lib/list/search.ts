import { createTurns } from '../bulk/turns.ts'
import { badRequest } from '../error.ts'
import type { RowSource } from './row-source.ts'

/** A search over the rows of a source. */
export interface Search<Row> {
  readonly source: RowSource<Row>
  /** Tests a row by the part of the filter that the source has not applied; null if every row matches. */
  readonly matches: ((row: Row) => boolean) | null
  /** The maximum number of rows that may be read to test or to sort them. */
  readonly candidates: number
  /** How many rows are tested before other requests may run. */
  readonly batch: number
}

/** Reads every row that matches. Throws `400 tooMany` for a source with more rows than `candidates`. */
export async function findAll<Row>(search: Search<Row>): Promise<Row[]> {
  const { source, matches, candidates, batch } = search
  if ((source.size ?? 0) > candidates) throw tooManyCandidates(candidates)
  const nextTurn = createTurns()
  const found: Row[] = []
  for (let read = 0; ; await nextTurn()) {
    const { rows, isLast } = await source.next(Math.min(batch, candidates + 1 - read))
    read += rows.length
    if (read > candidates) throw tooManyCandidates(candidates)
    found.push(...(matches === null ? rows : rows.filter(matches)))
    if (isLast) return found
  }
}

/** The first rows that match. */
export interface Window<Row> {
  readonly rows: readonly Row[]
  /** Whether more rows follow that may match. */
  readonly hasMore: boolean
}

/** The limits of a page. */
export interface PageLimits<Row> {
  /** The maximum number of rows. */
  readonly count: number
  /** The size of a row, in the unit of `most`; 0 by default. */
  readonly sizeOf?: (row: Row) => number
  /** The maximum size of the rows together. A page has at least one row. Unlimited by default. */
  readonly most?: number
}

/**
 * Reads until a page of matching rows is full, and one row further, which shows whether another page follows. Throws
 * `400 tooMany` if it must read more rows than `candidates` to find them.
 */
export async function findPage<Row>(
  search: Search<Row>,
  { count, sizeOf = () => 0, most = Number.POSITIVE_INFINITY }: PageLimits<Row>,
): Promise<Window<Row>> {
  const { source, matches, candidates, batch } = search
  const nextTurn = createTurns()
  const found: Row[] = []
  let size = 0
  for (let read = 0; ; await nextTurn()) {
    const missing = count + 1 - found.length
    const limit = matches === null ? missing : Math.min(Math.max(missing, batch), candidates + 1)
    const { rows, isLast } = await source.next(limit)
    read += rows.length
    for (const row of rows) {
      if (matches !== null && !matches(row)) continue
      size += sizeOf(row)
      const isFull = found.length >= count || (size > most && found.length > 0)
      if (isFull) return { rows: found, hasMore: true }
      found.push(row)
    }
    if (isLast) return { rows: found, hasMore: false }
    if (matches === null || read <= candidates) continue
    if (found.length < count) throw tooManyCandidates(candidates)
    return { rows: found, hasMore: true }
  }
}

/** The error of a search that must read too many rows. */
export function tooManyCandidates(candidates: number): Error {
  return badRequest('tooMany', `the search has more than ${candidates} candidates`)
}
