import type { Place, Position } from './position.ts'
import type { RowSource } from './row-source.ts'

/** A range's first rows. */
export interface RangeRows<Row> {
  readonly rows: readonly Row[]
  /** Whether the range has more rows, too large to be in memory with these. */
  readonly isCut: boolean
}

/** Reads rows by ranges, such as index ranges. */
export interface RangeReader<Range, Row, Loaded> {
  /** Returns the ranges from a place on, or back from it, in reading order; for null, those of all rows. */
  readonly rangesFrom: (place: Place | null) => readonly Range[]
  /** Reads at most `limit` rows from a range, and at least one if it has any. */
  readonly read: (range: Range, limit: number) => Promise<RangeRows<Row>>
  /** Returns a row's position. */
  readonly positionOf: (row: Row) => Position
  /** Loads as many of the first rows as fit into memory, at least one. */
  readonly load: (rows: readonly Row[]) => Promise<readonly Loaded[]>
}

/**
 * Reads the rows from a place on, one range after the other, and loads them. Rows that did not fit into memory are
 * loaded next.
 *
 * @example
 * ```ts
 * import { sourceOfRanges } from '@plumbline/scim/internal'
 *
 * const names = ['a', 'b', 'c']
 * const source = sourceOfRanges(null, {
 *   rangesFrom: (place) => [names.slice(place === null ? 0 : names.indexOf(place.id) + 1)],
 *   read: async (range, limit) => ({ rows: range.slice(0, limit), isCut: false }),
 *   positionOf: (id) => ({ id, key: null }),
 *   load: async (rows) => rows,
 * })
 * await source.next(2) //=> { rows: ['a', 'b'], isLast: false, isCut: false }
 * await source.next(2) //=> { rows: ['c'], isLast: true, isCut: false }
 * ```
 */
export function sourceOfRanges<Range, Row, Loaded>(
  start: Place | null,
  { rangesFrom, read, positionOf, load }: RangeReader<Range, Row, Loaded>,
): RowSource<Loaded> {
  let place = start
  let left: readonly Row[] = []
  let isEnd = false
  let isCut = false
  const readNext = async (limit: number): Promise<void> => {
    const rows: Row[] = []
    isCut = false
    for (const range of rangesFrom(place)) {
      if (isCut || rows.length === limit) break
      const found = await read(range, limit - rows.length)
      rows.push(...found.rows)
      isCut = found.isCut
    }
    left = rows
    isEnd = !isCut && rows.length < limit
    const last = rows.at(-1)
    if (last === undefined) return
    place = { ...positionOf(last), isForward: start?.isForward ?? true, isInclusive: false }
  }
  return {
    next: async (limit) => {
      if (left.length === 0) await readNext(limit)
      const rows = left.length === 0 ? [] : await load(left)
      left = left.slice(rows.length)
      const hasLeft = left.length > 0
      return { rows, isLast: isEnd && !hasLeft, isCut: isCut || hasLeft }
    },
  }
}
