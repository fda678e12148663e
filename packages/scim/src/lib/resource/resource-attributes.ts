import type { AttributeIndex, AttributeNode } from '../schema/attribute-index.ts'

const prepared = new WeakMap<AttributeIndex, ReadonlyMap<string, AttributeNode>>()

/**
 * The core attributes of a resource by folded name, in the order in which they are written, without `schemas`,
 * which is derived from the resource.
 */
export function resourceAttributes(index: AttributeIndex): ReadonlyMap<string, AttributeNode> {
  const known = prepared.get(index)
  if (known) return known
  const isFirst = (name: string): boolean => name === 'id' || name === 'externalid'
  const all = [...index.core.attributes].filter(([name]) => name !== 'schemas')
  const attributes = new Map([
    ...all.filter(([name]) => isFirst(name)),
    ...all.filter(([name]) => !isFirst(name)),
  ])
  prepared.set(index, attributes)
  return attributes
}
