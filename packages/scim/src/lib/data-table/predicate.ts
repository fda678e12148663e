import type { Predicate } from '@remix-run/data-table'
import type { Operator } from '../filter/tree.ts'

/** Operators that compare a column with a value. */
export type Comparison = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike'

/** The operators that compare by equality or order. */
export type RelationalOperator = Exclude<Operator, 'co' | 'sw' | 'ew'>

/** The comparison of SQL that each of them becomes. */
export const COMPARISONS: Readonly<Record<RelationalOperator, Comparison>> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'gt',
  ge: 'gte',
  lt: 'lt',
  le: 'lte',
}

export function isRelational(operator: Operator): operator is RelationalOperator {
  return Object.hasOwn(COMPARISONS, operator)
}

/**
 * Compares a column with a value. Built as data, because the library's own functions read a value such as
 * `admin.password` as a column.
 */
export function compare(column: string, operator: Comparison, value: unknown): Predicate {
  return { type: 'comparison', operator, column, value, valueType: 'value' }
}

export function isNull(column: string): Predicate {
  return { type: 'null', operator: 'isNull', column }
}

export function notNull(column: string): Predicate {
  return { type: 'null', operator: 'notNull', column }
}

/** Matches no row. */
export function never(column: string): Predicate {
  return logical('and', [isNull(column), notNull(column)])
}

/** Matches every row. */
export function always(column: string): Predicate {
  return logical('or', [isNull(column), notNull(column)])
}

/**
 * Joins predicates. A long list becomes a tree of short lists: SQLite parses `a and b and c` as a tree whose
 * depth is the length of the list, and accepts 1,000 levels.
 */
export function logical(operator: 'and' | 'or', predicates: readonly Predicate[]): Predicate {
  const [only] = predicates
  if (predicates.length === 1 && only) return only
  if (predicates.length <= FAN_OUT)
    return { type: 'logical', operator, predicates: [...predicates] }
  const size = Math.ceil(predicates.length / FAN_OUT)
  const parts: Predicate[] = []
  for (let at = 0; at < predicates.length; at += size) {
    parts.push(logical(operator, predicates.slice(at, at + size)))
  }
  return { type: 'logical', operator, predicates: parts }
}

/**
 * Joins predicates by `or`. In a long list, comparisons with equal columns become one `in`: SQLite takes
 * seconds to prepare ten thousand operands of `or`, and milliseconds for as many values of `in`.
 */
export function either(predicates: readonly Predicate[]): Predicate {
  if (predicates.length <= FAN_OUT) return logical('or', predicates)
  const values = new Map<string, unknown[]>()
  const others: Predicate[] = []
  for (const predicate of predicates) {
    if (predicate.type !== 'comparison' || predicate.operator !== 'eq') {
      others.push(predicate)
      continue
    }
    const known = values.get(predicate.column)
    if (known) known.push(predicate.value)
    else values.set(predicate.column, [predicate.value])
  }
  const lists = Array.from(
    values,
    ([column, value]): Predicate => ({
      type: 'comparison',
      operator: 'in',
      column,
      value,
      valueType: 'value',
    }),
  )
  return logical('or', [...lists, ...others])
}

/** How many levels `logical` adds above its operands. In a chain, every operand but the first adds one. */
export function levelsOf(operands: number): number {
  if (operands <= FAN_OUT) return Math.max(0, operands - 1)
  const size = Math.ceil(operands / FAN_OUT)
  const parts = Math.ceil(operands / size)
  const last = operands - (parts - 1) * size
  // A shorter list can be deeper: 242 operands make 30 levels, 257 make 24.
  return levelsOf(parts) + Math.max(levelsOf(size), levelsOf(last))
}

const FAN_OUT = 16
