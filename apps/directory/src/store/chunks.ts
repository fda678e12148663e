/** Splits a list into chunks a statement accepts as values. */
export function chunksOf<Value>(values: readonly Value[], size = 500): Value[][] {
  const chunks: Value[][] = []
  for (let at = 0; at < values.length; at += size) chunks.push(values.slice(at, at + size))
  return chunks
}

/** Splits a list into chunks of few different sizes: connections cache a statement for each size. */
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
