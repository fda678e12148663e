import type { Comparison, Predicate, PredicateValue } from '@plumbline/scim/sql'

/** `column operator value`, as data. */
export function compare(column: string, operator: Comparison, value: PredicateValue): Predicate {
  return { type: 'comparison', operator, column, value }
}

/** `column in (values)`; a list without values selects no row. */
export function oneOf(column: string, values: readonly string[]): Predicate {
  const [only] = values
  if (only !== undefined && values.length === 1) return compare(column, 'eq', only)
  return { type: 'in', column, values }
}

/** Joins conditions with `and`. */
export function every(operands: readonly Predicate[]): Predicate {
  const [only] = operands
  if (operands.length === 1 && only !== undefined) return only
  return { type: 'logical', operator: 'and', operands }
}
