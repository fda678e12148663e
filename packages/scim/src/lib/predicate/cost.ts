import { levelsOf, type Predicate, type PredicateValue } from './predicate.ts'

/** A predicate's cost, counted against a statement's limits. */
export interface Cost {
  /** Bound values. */
  readonly values: number
  /** Expression levels, as SQLite counts them. */
  readonly levels: number
  /** Code units in string values. */
  readonly text: number
  /** Selections from other tables. */
  readonly selections: number
}

export const NO_COST: Cost = { values: 0, levels: 0, text: 0, selections: 0 }

export function costOf(predicate: Predicate): Cost {
  switch (predicate.type) {
    case 'logical': {
      const cost = predicate.operands.map(costOf).reduce(addCosts, NO_COST)
      return { ...cost, levels: cost.levels + levelsOf(predicate.operands.length) }
    }
    // A column, a function call on it and the comparison.
    case 'comparison':
      return { values: 1, levels: 3, text: lengthOf(predicate.value), selections: 0 }
    case 'in':
    case 'foldedIn': {
      const text = predicate.values.reduce<number>((sum, value) => sum + lengthOf(value), 0)
      return { values: predicate.values.length, levels: 3, text, selections: 0 }
    }
    case 'match': {
      const text = predicate.pieces.reduce((sum, piece) => sum + piece.length + 1, 0)
      return { values: 1, levels: predicate.negated ? 4 : 3, text, selections: 0 }
    }
    case 'null':
      return { values: 0, levels: 2, text: 0, selections: 0 }
    case 'exists': {
      const { values, levels, text, selections } = costOf(predicate.where)
      const own = predicate.join.on.length + 4
      return { values, levels: levels + own, text, selections: selections + 1 }
    }
  }
}

function lengthOf(value: PredicateValue): number {
  return typeof value === 'string' ? value.length : 0
}

/** Adds the costs of two predicates, without the operator joining them. */
export function addCosts(a: Cost, b: Cost): Cost {
  return {
    values: a.values + b.values,
    levels: Math.max(a.levels, b.levels),
    text: a.text + b.text,
    selections: a.selections + b.selections,
  }
}

/** Returns whether one statement accepts this many operands with this total cost. */
export function isAffordable(cost: Cost, operands: number): boolean {
  return (
    cost.values <= MAX_COST.values &&
    cost.text <= MAX_COST.text &&
    cost.selections <= MAX_COST.selections &&
    cost.levels + levelsOf(operands) <= MAX_COST.levels
  )
}

/**
 * Below the databases' limits, to leave room for the caller's own conditions: per statement, SQLite accepts 32,766
 * values and 1,000 levels, PostgreSQL 65,535 values, MariaDB 16 MB of text. Each selection from another table costs
 * time for every row.
 */
const MAX_COST: Cost = { values: 32_000, levels: 900, text: 1_000_000, selections: 50 }
