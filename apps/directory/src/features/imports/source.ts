/** A source's row, as read. */
export interface SourceRow {
  /** The line's number, from 1. */
  readonly line: number
  /** How many bytes of the source were read with this row. */
  readonly end: number
  /** The approximate size in memory, in bytes. */
  readonly size: number
  /** The resource; undefined if the row cannot be read. */
  readonly body: unknown
  /**
   * PATCH operations for changing an existing resource, whose other attributes stay. Null if `body` replaces the
   * resource.
   */
  readonly operations: readonly object[] | null
  /** Why the row cannot be read; null if it can. */
  readonly error: string | null
}

/** Thrown if a source cannot be read to its end. */
export class SourceError extends Error {
  override readonly name: string = 'SourceError'
}

/** Resource rows. An import reads them several times. */
export interface Source {
  /** In bytes. */
  readonly size: number
  rows(): AsyncIterable<SourceRow>
}

/** Groups rows into batches, limiting the rows and bytes in memory at the same time. */
export async function* batchesOf<Row extends Pick<SourceRow, 'size'>>(
  rows: AsyncIterable<Row>,
  { most = 200, bytes = 2 ** 21 } = {},
): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = []
  let size = 0
  for await (const row of rows) {
    batch.push(row)
    size += row.size
    if (batch.length < most && size < bytes) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}
