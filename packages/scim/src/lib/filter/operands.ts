import type { Expression, Logical } from './tree.ts'

/** Returns the operands that `operator` joins. Any other expression is the only operand. */
export function operandsOf(
  expression: Expression,
  operator: Logical['operator'],
): readonly Expression[] {
  const isJoined = expression.type === 'logical' && expression.operator === operator
  return isJoined ? expression.operands : [expression]
}

/** Joins at least two expressions. `(a and b) and c` becomes one conjunction with three operands. */
export function join(operator: Logical['operator'], expressions: readonly Expression[]): Logical {
  const operands = expressions.flatMap((expression) => operandsOf(expression, operator))
  return { type: 'logical', operator, operands }
}
