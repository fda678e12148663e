/** A page by index (RFC 7644 §3.4.2.4). */
export interface IndexedPage {
  /** The position of the first row, from 1. */
  readonly startIndex: number
  /** The maximum number of rows. */
  readonly count: number
}

/** The rows of a page by index. It reads no further than the end of the page. */
export function takePage<Row>(
  rows: Iterable<Row>,
  { startIndex, count }: IndexedPage,
): readonly Row[] {
  if (Array.isArray(rows)) return rows.slice(startIndex - 1, startIndex - 1 + count)
  const page: Row[] = []
  let position = 1
  for (const row of rows) {
    if (page.length >= count) break
    if (position >= startIndex) page.push(row)
    position += 1
  }
  return page
}

/** The order of rows, and their positions in it. */
export interface Order<Row, Position> {
  readonly positionOf: (row: Row) => Position
  readonly compare: (a: Position, b: Position) => number
}

/** Rows in an order, with their positions. */
export interface Ordered<Row, Position> {
  readonly row: Row
  readonly position: Position
}

/** Sorts rows; each position is read once. */
export function sortRows<Row, Position>(
  rows: readonly Row[],
  { positionOf, compare }: Order<Row, Position>,
): readonly Ordered<Row, Position>[] {
  return rows
    .map((row) => ({ row, position: positionOf(row) }))
    .sort((a, b) => compare(a.position, b.position))
}

/** The rows after a position, which no row may have any more; all rows for null. */
export function rowsAfter<Row, Position>(
  sorted: readonly Ordered<Row, Position>[],
  position: Position | null,
  compare: Order<Row, Position>['compare'],
): readonly Ordered<Row, Position>[] {
  return position === null ? sorted : sorted.filter((one) => compare(one.position, position) > 0)
}
