import { ENTERPRISE_USER_SCHEMA, fold, GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Filter } from '@plumbline/scim/filter'

/** Returns the operands of an `and`; for any other filter, a list with the filter itself. */
export function conjunctsOf(filter: Filter.Expression): readonly Filter.Expression[] {
  return filter.type === 'logical' && filter.operator === 'and' ? filter.operands : [filter]
}

/**
 * Returns the string an element's `value` must equal in a multi-valued attribute: `emails eq "x"`,
 * `emails.value eq "x"` and `emails[type eq "work" and value eq "x"]`; else null.
 */
export function equalValue(expression: Filter.Expression, attribute: string): string | null {
  if (expression.type === 'compare') {
    const { path, operator, value } = expression
    const isValue = path.subAttribute === null || fold(path.subAttribute) === 'value'
    const isEqual = operator === 'eq' && typeof value === 'string'
    return isValue && isEqual && names(path, attribute) ? String(value) : null
  }
  if (expression.type !== 'valuePath' || !names(expression.path, attribute)) return null
  for (const conjunct of conjunctsOf(expression.filter)) {
    const isValue =
      conjunct.type === 'compare' &&
      conjunct.operator === 'eq' &&
      fold(conjunct.path.attribute) === 'value'
    if (isValue && typeof conjunct.value === 'string') return conjunct.value
  }
  return null
}

/** Returns the total length of the substrings a filter searches for, in code units. */
export function soughtIn(expression: Filter.Expression): number {
  switch (expression.type) {
    case 'logical':
      return expression.operands.reduce((sum, operand) => sum + soughtIn(operand), 0)
    case 'not':
      return soughtIn(expression.operand)
    case 'valuePath':
      return soughtIn(expression.filter)
    case 'present':
      return 0
    case 'compare': {
      const { operator, value } = expression
      return SUBSTRINGS.has(operator) && typeof value === 'string' ? value.length : 0
    }
  }
}

const SUBSTRINGS: ReadonlySet<Filter.Operator> = new Set(['co', 'sw', 'ew'])

/** Whether a filter mentions an attribute. */
export function mentions(expression: Filter.Expression, attribute: string): boolean {
  switch (expression.type) {
    case 'logical':
      return expression.operands.some((operand) => mentions(operand, attribute))
    case 'not':
      return mentions(expression.operand, attribute)
    default:
      return names(expression.path, attribute)
  }
}

/** Whether a path names an RFC 7643 schema's attribute, not one from a tenant's registered extension. */
function names({ schema, attribute }: Filter.AttributePath, wanted: string): boolean {
  if (fold(attribute) !== wanted) return false
  return schema === null || BUILT_IN.has(fold(schema))
}

const BUILT_IN: ReadonlySet<string> = new Set(
  [USER_SCHEMA, ENTERPRISE_USER_SCHEMA, GROUP_SCHEMA].map((urn) => fold(urn)),
)
