import type { WireResource } from '../../endpoint/store.ts'
import { isJsonObject, own } from '../../json.ts'

/** Returns a multi-valued attribute's complex elements. */
export function elementsOf(value: unknown): readonly WireResource[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Returns whether an element has a type, ignoring letter case. An element without a type matches every type. */
export function isOfType(element: WireResource, type: string): boolean {
  const actual = own(element, 'type') ?? type
  return typeof actual === 'string' && actual.toLowerCase() === type.toLowerCase()
}
