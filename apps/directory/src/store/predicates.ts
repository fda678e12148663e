import type { Predicate } from '@remix-run/data-table'

/** A condition on the rows of any table. */
export type Condition = Predicate<never>

/** `column operator value`, as data: a value is never interpreted as a column. */
export function compare(
  column: string,
  operator: 'eq' | 'lt' | 'lte' | 'gt' | 'gte',
  value: unknown,
): Condition {
  return anyTable({ type: 'comparison', operator, column, value, valueType: 'value' })
}

/** `column = value`. */
export function equals(column: string, value: string): Condition {
  return compare(column, 'eq', value)
}

/** `column in (values)`. */
export function oneOf(column: string, values: readonly string[]): Condition {
  const [only] = values
  if (only !== undefined && values.length === 1) return equals(column, only)
  const value = [...values]
  return anyTable({ type: 'comparison', operator: 'in', column, value, valueType: 'value' })
}

/** Joins all conditions with `and`. */
export function every(predicates: readonly Predicate[]): Condition {
  return anyTable({ type: 'logical', operator: 'and', predicates: [...predicates] })
}

/** A condition on the rows of one tenant. */
export function inTenant(tenantId: string, ...conditions: readonly Predicate[]): Condition {
  return every([equals('tenant_id', tenantId), ...conditions])
}

/** The only cast: the types of the query library do not allow a column name that is computed. */
function anyTable(predicate: Predicate): Condition {
  return predicate as Condition
}
