import { fold } from '../attributes.ts'
import type { Operation } from './types.ts'

/**
 * The texts in the values and filters of operations, folded: what they can look for among the values of
 * an attribute. Nearly so: what stands deeper than any attribute does is left out, as is what a key of a
 * value without a path says.
 */
export function textsOf(operations: readonly Operation[]): ReadonlySet<string> {
  const texts = new Set<string>()
  for (const { path, value } of operations) {
    collect(value, 0, texts)
    if (path !== null) collect(path.filter, 0, texts)
  }
  return texts
}

function collect(value: unknown, depth: number, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(fold(value))
  else if (typeof value === 'object' && value !== null && depth < DEEPEST) {
    for (const part of Object.values(value)) collect(part, depth + 1, texts)
  }
}

/** An extension, its attribute, a list, its element, a part, a list again, its element. */
const DEEPEST = 8
