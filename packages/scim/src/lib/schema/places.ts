import { isJsonObject, own } from '../json.ts'
import { fold } from '../values/fold.ts'
import type { AttributeNode } from './attribute-index.ts'

/** A multi-valued attribute, with the types for each of which a store has a place for one element. */
export interface Placed {
  readonly node: AttributeNode
  readonly types: readonly string[]
}

/**
 * Returns the positions of elements without a place: those of another type, and all but the first of a type. An element
 * without a type has a place only if there is one place.
 */
export function withoutPlace(elements: unknown, types: readonly string[]): number[] {
  if (!Array.isArray(elements)) return []
  const free = new Set(types.map(fold))
  const only = free.size === 1 ? types[0] : undefined
  return [...elements.keys()].filter((at) => {
    const element: unknown = elements[at]
    const type = isJsonObject(element) ? (own(element, 'type') ?? only) : undefined
    return !(typeof type === 'string' && free.delete(fold(type)))
  })
}
