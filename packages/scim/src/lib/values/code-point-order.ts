/**
 * Orders strings by code point: negative if `a` comes first, positive if `b` comes first, otherwise 0.
 * JavaScript's own `<` orders by UTF-16 code unit, but databases with a binary collation do not.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Surrogates represent the highest code points, but their code units are not the highest. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
