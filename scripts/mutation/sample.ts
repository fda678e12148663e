/** Picks values at random; the same seed picks the same values of the same list. */
export function sample<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const random = randomOf(seed)
  const ranked = all.map((value) => ({ value, rank: random() }))
  return ranked
    .toSorted((one, two) => one.rank - two.rank)
    .slice(0, count)
    .map(({ value }) => value)
}

/** Marsaglia's xorshift with 32 bits: numbers from 0 to 1 that depend only on the seed. */
function randomOf(seed: number): () => number {
  // Small seeds are spread over all bits, because the first numbers of near seeds would be alike.
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
