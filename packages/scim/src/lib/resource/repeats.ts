import { type AttributeNode, fold } from '../attributes.ts'
import { isObject } from './read.ts'

/**
 * Drops the values whose (type, value) pair occurs earlier in the list (RFC 7643 §2.4). The first one stays
 * in its place; if a later one is the primary value, it replaces the first. Values without a `value`, such
 * as addresses, are all kept. `values` itself is returned if nothing repeats.
 */
export function withoutRepeats(
  values: readonly unknown[],
  node: AttributeNode,
): readonly unknown[] {
  const places = new Map<string, number>()
  const kept: unknown[] = []
  for (const value of values) {
    const pair = pairOf(value, node)
    const place = pair === undefined ? undefined : places.get(pair)
    if (place !== undefined) {
      if (isObject(value) && value.primary === true) kept[place] = value
      continue
    }
    if (pair !== undefined) places.set(pair, kept.length)
    kept.push(value)
  }
  return kept.length === values.length ? values : kept
}

/** The text by which a value is compared; undefined for one that has no `value`. */
function pairOf(value: unknown, node: AttributeNode): string | undefined {
  if (!isObject(value)) return JSON.stringify(canonical(value, node))
  if (value.value === undefined) return undefined
  const part = (name: string): unknown => canonical(value[name], node.subAttributes.get(name))
  return JSON.stringify([part('type'), part('value')])
}

function canonical(value: unknown, node: AttributeNode | undefined): unknown {
  return typeof value === 'string' && !node?.caseExact ? fold(value) : value
}
