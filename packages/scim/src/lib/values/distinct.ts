import { isJsonObject } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { fold } from './fold.ts'

/**
 * The values without those that repeat the `value` and the `type` of another (RFC 7643 §2.4). The primary one
 * of such values is kept, otherwise the first. Objects without a `value` are all kept.
 */
export function distinctValues(values: readonly unknown[], node: AttributeNode): unknown[] {
  const kept = new Map<unknown, unknown>()
  for (const value of values) {
    const key = pairOf(value, node) ?? value
    if (!kept.has(key) || (isJsonObject(value) && value.primary === true)) kept.set(key, value)
  }
  return [...kept.values()]
}

/** The string of value and type; null for an object without a value. */
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
