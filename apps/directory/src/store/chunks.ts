/** Splits a list into chunks that a statement accepts as values. */
export function chunksOf<Value>(values: readonly Value[], size = 500): Value[][] {
  const chunks: Value[][] = []
  for (let at = 0; at < values.length; at += size) chunks.push(values.slice(at, at + size))
  return chunks
}
