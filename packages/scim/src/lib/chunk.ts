/** Splits a list into chunks with at most `size` values. */
export function chunk<Value>(values: readonly Value[], size: number): Value[][] {
  const chunks: Value[][] = []
  for (let at = 0; at < values.length; at += size) chunks.push(values.slice(at, at + size))
  return chunks
}
