import { isFailure } from '@plumbline/result'
import type { AttributePath } from '../path/attribute-path.ts'
import { parsePath } from '../path/parse-path.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  resolveAttribute,
  resolveInBrackets,
  resolvePath,
  type SchemaNode,
} from '../schema/attribute-index.ts'
import type { Expression } from './tree.ts'

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

/** The query parts that name attributes by which resources are found. */
interface Searched {
  readonly filter?: Expression | undefined
  readonly sortBy?: string | undefined
}

/** Finds the attributes that a query's filter and order name, also in a value path's brackets. */
export function searchedAttributes(
  { filter, sortBy }: Searched,
  index: AttributeIndex,
): Set<AttributeNode> {
  const nodes = findAttributes(sortBy === undefined ? [] : [sortBy], index)
  if (filter !== undefined) collect(filter, (path) => resolveAttribute(index, path), nodes)
  return nodes
}

function collect(
  expression: Expression,
  resolve: (path: AttributePath) => AttributeNode | null,
  found: Set<AttributeNode>,
): void {
  switch (expression.type) {
    case 'logical':
      for (const operand of expression.operands) collect(operand, resolve, found)
      return
    case 'not':
      collect(expression.operand, resolve, found)
      return
    default: {
      const node = resolve(expression.path)
      if (node === null) return
      found.add(node)
      if (expression.type !== 'valuePath') return
      collect(expression.filter, (path) => resolveInBrackets(node, path), found)
    }
  }
}
