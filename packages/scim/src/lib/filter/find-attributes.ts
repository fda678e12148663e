import { isFailure } from '@plumbline/result'
import { parsePath } from '../path/parse-path.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  resolvePath,
  type SchemaNode,
} from '../schema/attribute-index.ts'

/** The node a path names, in any letter case; null for a path that is malformed or unknown. */
export function findNode(text: string, index: AttributeIndex): AttributeNode | SchemaNode | null {
  const path = parsePath(text)
  return isFailure(path) ? null : resolvePath(index, path.data)
}

/** The attributes that paths name. A schema names all of its own, and a path that is unknown names none. */
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
