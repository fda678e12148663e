import type { WireResource } from '../../endpoint/store.ts'
import { isJsonObject, own } from '../../json.ts'

/** The elements of a multi-valued attribute that are complex. */
export function elementsOf(value: unknown): readonly WireResource[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Whether an element has a type, in any letter case. An element without a type has any. */
export function isOfType(element: WireResource, type: string): boolean {
  const actual = own(element, 'type') ?? type
  return typeof actual === 'string' && actual.toLowerCase() === type.toLowerCase()
}
