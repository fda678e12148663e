import { memoize } from '@plumbline/base'
import type { AttributeIndex, AttributeNode } from '../schema/attribute-index.ts'

/**
 * Returns a resource's core attributes by folded name, in writing order, without `schemas`, which is derived from the
 * resource.
 */
export const resourceAttributes: (index: AttributeIndex) => ReadonlyMap<string, AttributeNode> =
  memoize(orderAttributes)

function orderAttributes(index: AttributeIndex): ReadonlyMap<string, AttributeNode> {
  const isFirst = (name: string): boolean => name === 'id' || name === 'externalid'
  const all = [...index.core.attributes].filter(([name]) => name !== 'schemas')
  return new Map([
    ...all.filter(([name]) => isFirst(name)),
    ...all.filter(([name]) => !isFirst(name)),
  ])
}
