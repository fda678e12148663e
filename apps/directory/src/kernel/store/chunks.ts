/** Splits a list into chunks with few different sizes: connections cache a statement per size. */
export function chunksOfFewSizes<Value>(values: readonly Value[]): Value[][] {
  const chunks: Value[][] = []
  for (let at = 0; at < values.length; ) {
    const size = SIZES.find((one) => one <= values.length - at) ?? 1
    chunks.push(values.slice(at, at + size))
    at += size
  }
  return chunks
}

const SIZES = [64, 16, 4, 1]
