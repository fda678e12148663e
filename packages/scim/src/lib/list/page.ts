/** A page by index (RFC 7644 §3.4.2.4). */
export interface IndexedPage {
  /** The position of the first row, from 1. */
  readonly startIndex: number
  /** The maximum number of rows. */
  readonly count: number
}

/** Returns the rows on a page by index. It reads no further than the page's end. */
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
