import { keyOfPart } from './position-index.ts'
import type { Operation } from './types.ts'

/**
 * Collects the keys of strings, numbers and booleans in the operations' values and filters. Operations may search for
 * them among an attribute's values. Values nested deeper than any attribute are excluded, and so are filters in the
 * keys of a value without a path.
 */
export function collectSearchedTexts(operations: readonly Operation[]): ReadonlySet<string> {
  const texts = new Set<string>()
  for (const { path, value } of operations) {
    collect(value, 0, texts)
    if (path !== null) collect(path.filter, 0, texts)
  }
  return texts
}

function collect(value: unknown, depth: number, texts: Set<string>): void {
  const key = keyOfPart(value)
  if (key !== undefined) texts.add(key)
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const part of Object.values(value)) collect(part, depth + 1, texts)
  }
}

/** An extension, an attribute, a list, an element, a part, a list again, an element. */
const MAX_DEPTH = 8
