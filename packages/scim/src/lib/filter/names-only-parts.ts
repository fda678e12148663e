import { type AttributeNode, resolveInBrackets } from '../schema/attribute-index.ts'
import type { Expression } from './tree.ts'

/** Returns whether all names in a value path's filter are sub-attributes of `node`. */
export function namesOnlyParts(filter: Expression, node: AttributeNode): boolean {
  switch (filter.type) {
    case 'compare':
    case 'present':
      return resolveInBrackets(node, filter.path) !== null
    case 'logical':
      return filter.operands.every((operand) => namesOnlyParts(operand, node))
    case 'not':
      return namesOnlyParts(filter.operand, node)
    case 'valuePath':
      return false
  }
}
