import { type AttributeIndex, resolveAttribute } from '../schema/attribute-index.ts'
import type { Compare, Expression, Logical } from './tree.ts'

/**
 * Reduces a filter over several resource types to one type's attributes. Returns true if every resource of that type
 * matches, and false if none does. RFC 7644 §3.4.2.1: attributes the type does not define are unassigned in such
 * resources.
 */
export function restrictFilter(
  expression: Expression,
  index: AttributeIndex,
): Expression | boolean {
  switch (expression.type) {
    case 'compare':
      return resolveAttribute(index, expression.path) === null
        ? matchesUnassigned(expression)
        : expression
    case 'present':
    case 'valuePath':
      return resolveAttribute(index, expression.path) === null ? false : expression
    case 'not': {
      const operand = restrictFilter(expression.operand, index)
      return typeof operand === 'boolean' ? !operand : { type: 'not', operand }
    }
    case 'logical':
      return restrictLogical(expression, index)
  }
}

/** RFC 7643 §2.5: null is the same as unassigned, and any other value differs from it. */
function matchesUnassigned({ operator, value }: Compare): boolean {
  return value === null ? operator === 'eq' : operator === 'ne'
}

function restrictLogical(
  { operator, operands }: Logical,
  index: AttributeIndex,
): Expression | boolean {
  const isDecided = operator === 'or'
  const kept: Expression[] = []
  for (const operand of operands) {
    const restricted = restrictFilter(operand, index)
    if (restricted === isDecided) return isDecided
    if (typeof restricted !== 'boolean') kept.push(restricted)
  }
  const [first, second] = kept
  if (first === undefined) return !isDecided
  return second === undefined ? first : { type: 'logical', operator, operands: kept }
}
