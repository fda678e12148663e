import type { Predicate } from '@remix-run/data-table'
import { levelsOf } from './predicate.ts'

/** How much of the limits of a statement a predicate uses. */
export interface Cost {
  /** Values that are bound to the statement. */
  readonly values: number
  /** Levels of the expression, as SQLite counts them. */
  readonly levels: number
  /** Code units of the string values. */
  readonly text: number
}

export const NO_COST: Cost = { values: 0, levels: 0, text: 0 }

export function costOf(predicate: Predicate): Cost {
  switch (predicate.type) {
    case 'logical': {
      const cost = predicate.predicates.map(costOf).reduce(addCosts, NO_COST)
      return { ...cost, levels: cost.levels + levelsOf(predicate.predicates.length) }
    }
    case 'comparison': {
      const { value } = predicate
      // A column, a function of it and the comparison.
      return { values: 1, levels: 3, text: typeof value === 'string' ? value.length : 0 }
    }
    case 'between':
      return { values: 2, levels: 2, text: 0 }
    case 'null':
      return { values: 0, levels: 2, text: 0 }
  }
}

/** The cost of two predicates together, without the operator that joins them. */
export function addCosts(a: Cost, b: Cost): Cost {
  return {
    values: a.values + b.values,
    levels: Math.max(a.levels, b.levels),
    text: a.text + b.text,
  }
}

/** Whether one statement accepts that many operands with this total cost. */
export function isAffordable({ values, levels, text }: Cost, operands: number): boolean {
  return values <= MOST.values && text <= MOST.text && levels + levelsOf(operands) <= MOST.levels
}

/**
 * Below the limits of the databases, to leave room for the caller's own conditions: SQLite accepts 32,766
 * values and 1,000 levels in a statement, PostgreSQL 65,535 values, MariaDB 16 MB of text.
 */
const MOST: Cost = { values: 32_000, levels: 900, text: 1_000_000 }
