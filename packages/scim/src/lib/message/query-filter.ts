import { unwrap } from '@plumbline/result'
import { badRequest } from '../error.ts'
import { parseFilter } from '../filter/parse.ts'
import { coerceTextBooleans } from '../filter/text-booleans.ts'
import type { Expression } from '../filter/tree.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  resolveAttribute,
  resolveInBrackets,
} from '../schema/attribute-index.ts'

/** How a filter is read. */
export interface FilterRules {
  /** The attributes the filter may name; null if it may name any. */
  readonly index: AttributeIndex | null
  /** Whether the strings "true" and "false" are coerced if the attribute is a boolean. */
  readonly textBooleans: boolean
}

/** Reads a query's filter; throws a ScimError, `invalidFilter`. */
export function readFilter(text: string, { index, textBooleans }: FilterRules): Expression {
  const filter = unwrap(parseFilter(text))
  if (index === null) return filter
  const resolve = (path: AttributePath) => resolveAttribute(index, path)
  requirePaths(filter, resolve)
  return textBooleans ? coerceTextBooleans(filter, resolve) : filter
}

/** Throws a ScimError, `invalidFilter`, unless `resolve` finds an attribute for each path of a filter. */
function requirePaths(
  expression: Expression,
  resolve: (path: AttributePath) => AttributeNode | null,
): void {
  switch (expression.type) {
    case 'logical':
      for (const operand of expression.operands) requirePaths(operand, resolve)
      return
    case 'not':
      requirePaths(expression.operand, resolve)
      return
    case 'valuePath': {
      const node = requireKnown(expression.path, resolve)
      requirePaths(expression.filter, (path) => resolveInBrackets(node, path))
      return
    }
    default:
      requireKnown(expression.path, resolve)
  }
}

function requireKnown(
  path: AttributePath,
  resolve: (path: AttributePath) => AttributeNode | null,
): AttributeNode {
  const node = resolve(path)
  if (node !== null) return node
  throw badRequest('invalidFilter', `unknown attribute ${stringifyPath(path)}`)
}
