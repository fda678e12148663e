import { badRequest, invalidValue } from '../error.ts'
import { isJsonObject } from '../json.ts'
import { fold } from '../values/fold.ts'
import type { AttributeNode } from './attribute-index.ts'

// RFC 7643 §2.4: a multi-valued attribute's values.

/** How many values a multi-valued attribute may have if the caller sets no other limit. */
export const MAX_VALUES = 5_000

/** Throws `400 tooMany` if an attribute has more values than allowed. `members` is not limited. */
export function requireFewValues(
  count: number,
  node: AttributeNode,
  place: string,
  maxValues: number,
): void {
  if (count <= maxValues || isUnlimited(node)) return
  throw badRequest('tooMany', `${place} has more than ${maxValues} values`)
}

/** Throws `400 invalidValue` for more than one primary value. */
export function requireOnePrimary(values: readonly unknown[], place: string): void {
  if (values.filter(isPrimary).length > 1) {
    throw invalidValue(place, 'has more than one primary value')
  }
}

/** Returns whether a value is primary. */
export function isPrimary(value: unknown): boolean {
  return isJsonObject(value) && value.primary === true
}

/**
 * Removes values with the same `value` and `type` as another (RFC 7643 §2.4). Keeps the primary duplicate, otherwise
 * the first, and all objects without a `value`.
 */
export function distinctValues(values: readonly unknown[], node: AttributeNode): unknown[] {
  const kept = new Map<unknown, unknown>()
  for (const value of values) {
    const key = pairOf(value, node) ?? value
    if (!kept.has(key) || isPrimary(value)) kept.set(key, value)
  }
  return [...kept.values()]
}

/** RFC 7643 §4.2: a group may have any number of members. */
function isUnlimited({ name, parent }: AttributeNode): boolean {
  return parent === null && fold(name) === 'members'
}

/** Serializes an element's value and type for comparison; null for an object without a value. */
function pairOf(element: unknown, node: AttributeNode): string | null {
  if (!isJsonObject(element)) return JSON.stringify(comparable(element, node))
  const { value, type } = element
  if (value === undefined || value === null) return null
  const { subAttributes } = node
  const parts = [
    comparable(value, subAttributes.get('value')),
    comparable(type, subAttributes.get('type')),
  ]
  return JSON.stringify(parts)
}

function comparable(value: unknown, node: AttributeNode | undefined): unknown {
  return typeof value === 'string' && !node?.caseExact ? fold(value) : value
}
