import type { Predicate } from '@remix-run/data-table'
import { levelsOf } from './predicate.ts'

/** What a predicate takes of the limits of a statement. */
export interface Cost {
  /** Values that are sent beside the statement. */
  readonly values: number
  /** Levels of the expression, as SQLite counts them. */
  readonly levels: number
  /** Code units of the values that are text. */
  readonly text: number
}

export const NO_COST: Cost = { values: 0, levels: 0, text: 0 }

export function costOf(predicate: Predicate): Cost {
  switch (predicate.type) {
    case 'logical': {
      const cost = predicate.predicates.map(costOf).reduce(plus, NO_COST)
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

/** The cost of two predicates beside each other, without what joins them. */
export function plus(a: Cost, b: Cost): Cost {
  return {
    values: a.values + b.values,
    levels: Math.max(a.levels, b.levels),
    text: a.text + b.text,
  }
}

/** Whether one statement takes so many operands of such cost together. */
export function isAffordable({ values, levels, text }: Cost, operands: number): boolean {
  return values <= MOST.values && text <= MOST.text && levels + levelsOf(operands) <= MOST.levels
}

/**
 * Less than the databases take, for a caller's own conditions beside the filter: SQLite takes 32,766
 * values and 1,000 levels in a statement, PostgreSQL 65,535 values, MariaDB 16 MB of text.
 */
const MOST: Cost = { values: 32_000, levels: 900, text: 1_000_000 }
