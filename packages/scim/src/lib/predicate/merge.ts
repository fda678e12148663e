import { addCosts, type Cost, costOf, NO_COST } from './cost.ts'
import { type Exists, either, type Join, type Predicate, selection } from './predicate.ts'
import { mergeKeys } from './rows.ts'

/** A predicate, null if it does not narrow the rows, and its cost. */
interface CostedPart {
  readonly where: Predicate | null
  readonly cost: Cost
}

/**
 * Merges a disjunction's selections from the same table rows, so a filter with a thousand members selects from their
 * table once.
 */
export function mergeSelections(parts: readonly CostedPart[]): {
  readonly wheres: readonly Predicate[]
  readonly cost: Cost
} {
  const selections = new Map<Join, Exists[]>()
  const keyed: Exists[] = []
  const wheres: Predicate[] = []
  let cost = NO_COST
  for (const { where, cost: own } of parts) {
    if (where?.type === 'exists' && !where.negated && where.lookups !== undefined) {
      keyed.push(where)
      continue
    }
    if (where?.type === 'exists' && !where.negated) {
      const known = selections.get(where.join)
      if (known) known.push(where)
      else selections.set(where.join, [where])
      continue
    }
    if (where !== null) wheres.push(where)
    cost = addCosts(cost, own)
  }
  for (const [join, each] of selections) {
    const where = either(each.map((one) => one.where))
    const merged = selection({ join, where, negated: false })
    wheres.push(merged)
    cost = addCosts(cost, costOf(merged))
  }
  for (const merged of mergeKeys(keyed)) {
    wheres.push(merged)
    cost = addCosts(cost, costOf(merged))
  }
  return { wheres, cost }
}
