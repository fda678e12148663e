import type { Predicate } from '@remix-run/data-table'
import { condition, joinConditions, type SqlCondition } from '../condition.ts'

/**
 * Writes a predicate of the query library as a condition. The query library takes as long to build a statement as
 * SQLite to run it, and its predicates cannot be joined with a condition on another table.
 */
export function writePredicate(predicate: Predicate): SqlCondition {
  switch (predicate.type) {
    case 'comparison':
      return writeComparison(predicate)
    case 'between':
      return condition(
        `${quote(predicate.column)} between ? and ?`,
        predicate.lower,
        predicate.upper,
      )
    case 'null': {
      const sign = predicate.operator === 'isNull' ? 'is null' : 'is not null'
      return condition(`${quote(predicate.column)} ${sign}`)
    }
    case 'logical':
      return joinConditions(predicate.operator, predicate.predicates.map(writePredicate))
  }
}

function writeComparison(predicate: Predicate & { readonly type: 'comparison' }): SqlCondition {
  const column = quote(predicate.column)
  if (predicate.valueType === 'column') {
    return condition(`${column} ${SIGNS[predicate.operator]} ${quote(predicate.value)}`)
  }
  const { operator, value } = predicate
  if (operator === 'in' || operator === 'notIn') {
    const values: readonly unknown[] = Array.isArray(value) ? value : []
    if (values.length === 0) return condition(operator === 'in' ? '1 = 0' : '1 = 1')
    const places = values.map(() => '?').join(', ')
    return condition(`${column} ${SIGNS[operator]} (${places})`, ...values)
  }
  if (operator === 'ilike') return condition(`lower(${column}) like lower(?)`, value)
  // SQLite does not have booleans; PostgreSQL reads 0 and 1 as booleans.
  const bound = typeof value === 'boolean' ? Number(value) : value
  return condition(`${column} ${SIGNS[operator]} ?`, bound)
}

function quote(column: string): string {
  return `"${column}"`
}

const SIGNS = {
  ...{ eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' },
  ...{ in: 'in', notIn: 'not in', like: 'like', ilike: 'like' },
} as const
