import { isFailure } from '@plumbline/result'
import { parsePath } from '../path/parse-path.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  resolvePath,
  type SchemaNode,
} from '../schema/attribute-index.ts'

/** Resolves a path in any letter case; null if it is malformed or unknown. */
export function findNode(text: string, index: AttributeIndex): AttributeNode | SchemaNode | null {
  const path = parsePath(text)
  return isFailure(path) ? null : resolvePath(index, path.data)
}

/**
 * Finds the attributes that paths name. A schema's path adds all attributes in the schema, and an unknown path adds
 * none.
 */
export function findAttributes(
  paths: readonly string[],
  index: AttributeIndex,
): Set<AttributeNode> {
  const nodes = new Set<AttributeNode>()
  for (const text of paths) {
    const node = findNode(text, index)
    if (node?.kind === 'attribute') nodes.add(node)
    if (node?.kind === 'schema') for (const each of node.attributes.values()) nodes.add(each)
  }
  return nodes
}
