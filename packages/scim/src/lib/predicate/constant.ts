import { type ComparedAttribute, compileOperator } from '../filter/operators.ts'
import { requireAccepted } from '../filter/rejection.ts'
import type { Compare } from '../filter/tree.ts'
import { createWorkBudget } from '../work-budget.ts'
import { EVERY, NONE } from './predicate.ts'
import type { Translation } from './translation.ts'

/** Compares a sub-attribute with the same string in every row, such as the type of a work address. */
export function translateConstant(
  expression: Compare,
  constant: string,
  negated: boolean,
): Translation {
  const { operator, value } = expression
  const test =
    value === null && operator === 'eq'
      ? () => false
      : requireAccepted(compileOperator(TEXT, operator, value, createWorkBudget()), expression)
  return { exact: test(constant) === negated ? NONE : EVERY }
}

const TEXT: ComparedAttribute = { type: 'string', caseExact: false }
