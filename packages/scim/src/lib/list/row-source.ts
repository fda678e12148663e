/** A source's next rows. */
export interface Batch<Row> {
  readonly rows: readonly Row[]
  /** Whether the source has no more rows. */
  readonly isLast: boolean
  /** Whether more rows would be too large to be in memory with these, so a page ends here; false by default. */
  readonly isCut?: boolean | undefined
}

/** The rows that may match a list request, such as a table's, in the source's order. */
export interface RowSource<Row> {
  /** The number of rows, if the source knows it. */
  readonly size?: number | undefined
  /**
   * Reads the next rows: at most `limit`, and fewer if more would be too large to be in memory together. A batch
   * without rows must be the last one.
   */
  next(limit: number): Promise<Batch<Row>>
}

/** Reads the rows of a list already in memory. */
export function sourceOfList<Row>(rows: readonly Row[]): RowSource<Row> {
  let at = 0
  return {
    size: rows.length,
    next: async (limit) => {
      const batch = rows.slice(at, at + limit)
      at += batch.length
      return { rows: batch, isLast: at >= rows.length }
    },
  }
}

/** Maps each row with its position, from 0. */
export function mapSource<Row, Mapped>(
  { size, next }: RowSource<Row>,
  map: (row: Row, at: number) => Mapped,
): RowSource<Mapped> {
  let at = 0
  return {
    size,
    next: async (limit) => {
      const { rows, isLast, isCut } = await next(limit)
      const first = at
      at += rows.length
      return { rows: rows.map((row, offset) => map(row, first + offset)), isLast, isCut }
    },
  }
}
