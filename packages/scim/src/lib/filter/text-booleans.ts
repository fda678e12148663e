import type { AttributePath } from '../path/attribute-path.ts'
import {
  type AttributeNode,
  resolveInBrackets,
  significantPart,
} from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import type { Expression, Value } from './tree.ts'

/**
 * Replaces `"true"` and `"false"`, in any letter case, with booleans if the attribute is a boolean.
 *
 * Deviation: Entra ID sends `roles[primary eq "True"]`; see decisions/text-booleans.md.
 */
export function coerceTextBooleans(
  expression: Expression,
  resolve: (path: AttributePath) => AttributeNode | null,
): Expression {
  switch (expression.type) {
    case 'compare': {
      const node = resolve(expression.path)
      if (node === null || significantPart(node).type !== 'boolean') return expression
      return { ...expression, value: coerceBoolean(expression.value) }
    }
    case 'present':
      return expression
    case 'logical': {
      const operands = expression.operands.map((operand) => coerceTextBooleans(operand, resolve))
      return { ...expression, operands }
    }
    case 'not':
      return { ...expression, operand: coerceTextBooleans(expression.operand, resolve) }
    case 'valuePath': {
      const node = resolve(expression.path)
      if (node === null) return expression
      const inside = (path: AttributePath) => resolveInBrackets(node, path)
      return { ...expression, filter: coerceTextBooleans(expression.filter, inside) }
    }
  }
}

function coerceBoolean(value: Value): Value {
  if (typeof value !== 'string') return value
  const text = fold(value)
  return text === 'true' || (text === 'false' ? false : value)
}
