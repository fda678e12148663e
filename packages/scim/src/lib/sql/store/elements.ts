import { memoize } from '@plumbline/base'
import type { WireResource } from '../../endpoint/options/store.ts'
import { isJsonObject, own } from '../../json.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import type { Placed } from '../../schema/places.ts'
import { fold } from '../../values/fold.ts'
import type { StoreMap } from './fields.ts'

/** Returns a multi-valued attribute's complex elements. */
export function elementsOf(value: unknown): readonly WireResource[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Returns whether an element has a type, ignoring letter case. An element without a type matches every type. */
export function isOfType(element: WireResource, type: string): boolean {
  const actual = own(element, 'type') ?? type
  return typeof actual === 'string' && fold(actual) === fold(type)
}

/** Returns the attributes whose elements have places in columns; none if a document has the other elements. */
export const placesOf: (map: Pick<StoreMap, 'fields' | 'document'>) => readonly Placed[] = memoize(
  ({ fields, document }) => {
    const types = new Map<AttributeNode, Set<string>>()
    for (const { element, node } of document === null ? fields : []) {
      if (element === null || node.parent === null) continue
      types.set(node.parent, (types.get(node.parent) ?? new Set()).add(element))
    }
    return [...types].map(([node, all]) => ({ node, types: [...all] }))
  },
)
