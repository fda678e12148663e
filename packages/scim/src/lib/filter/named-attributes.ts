import { isFailure } from '@plumbline/result'
import { type AttributeIndex, type AttributeNode, resolvePath } from '../schema/attribute-index.ts'
import { parsePath } from './parse.ts'

/** The attributes that paths name. A schema names all of its own, and a path that is unknown names none. */
export function findAttributes(
  paths: readonly string[],
  index: AttributeIndex,
): Set<AttributeNode> {
  const nodes = new Set<AttributeNode>()
  for (const text of paths) {
    const path = parsePath(text)
    const node = isFailure(path) ? null : resolvePath(index, path.data)
    if (node?.kind === 'attribute') nodes.add(node)
    if (node?.kind === 'schema') for (const each of node.attributes.values()) nodes.add(each)
  }
  return nodes
}
