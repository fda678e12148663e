import { compileOperator } from '../filter/operators.ts'
import { requireAccepted } from '../filter/rejection.ts'
import type { Compare } from '../filter/tree.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { createWorkBudget } from '../work-budget.ts'
import { KNOWN } from './known.ts'
import { logical } from './predicate.ts'
import type { Translation } from './translation.ts'

/** Compares a sub-attribute that has the same string in every row, such as the type of a work address. */
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
  return { exact: logical(test(constant) === negated ? 'or' : 'and', []) }
}

const TEXT: AttributeNode = {
  kind: 'attribute',
  name: 'type',
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  schema: KNOWN.core,
  parent: null,
  subAttributes: new Map(),
}
