import type { Result } from '@plumbline/result'
import type { Predicate } from '@remix-run/data-table'
import { resultOf, type ScimError } from '../error.ts'
import { join } from '../filter/operands.ts'
import { excerptOf } from '../filter/stringify.ts'
import type { Compare, Expression, Present } from '../filter/tree.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { type ColumnMap, type Columns, prepareColumns } from './columns.ts'
import { translateCompare, translatePresent } from './comparison.ts'
import { addCosts, type Cost, costOf, isAffordable, NO_COST } from './cost.ts'
import { either, levelsOf, logical } from './predicate.ts'
import type { Translation } from './translation.ts'

/** The translation of a filter, or of a part of it. */
export interface TranslatedPart {
  /** Selects the matching rows, or more; null if no predicate narrows them. */
  readonly where: Predicate | null
  /** The filter that the selected rows must still pass; null if the predicate is exact. */
  readonly residual: Expression | null
  /** The first reason why the predicate is not exact; null if it is exact. */
  readonly inexactReason: InexactReason | null
  readonly cost: Cost
  /** The expression, with the negation that was pushed down to it. */
  readonly whole: Expression
}

interface InexactReason {
  readonly expression: Expression
  /** Computed only on request: a filter may have thousands of inexact parts. */
  readonly message: () => string
}

/** Translates a filter. Fails if a column does not support a value or an operator. */
export function translateFilter(
  expression: Expression,
  columns: ColumnMap,
): Result<TranslatedPart, ScimError> {
  return resultOf(() => translate(expression, prepareColumns(columns), false, 0))
}

/** `not` is pushed down to the comparisons: in SQL, the negation of a comparison with null is null. */
function translate(
  expression: Expression,
  columns: Columns,
  negated: boolean,
  depth: number,
): TranslatedPart {
  const whole: Expression = negated ? { type: 'not', operand: expression } : expression
  if (depth > DEPTH_LIMIT) return createOversizedPart(whole)
  switch (expression.type) {
    case 'not':
      return translate(expression.operand, columns, !negated, depth + 1)
    case 'logical': {
      const parts = expression.operands.map((operand) =>
        translate(operand, columns, negated, depth + 1),
      )
      // De Morgan: the negation of a disjunction is the conjunction of the negations.
      const isAll = (expression.operator === 'and') !== negated
      return isAll ? joinAll(parts, whole) : joinAny(parts, whole)
    }
    case 'valuePath':
      return createInexactPart(
        expression,
        whole,
        'a value path tests one element of a multi-valued attribute',
        null,
      )
    default:
      return createPart(expression, whole, translateLeaf(expression, columns, negated))
  }
}

/**
 * All parts must hold, so each part that SQL can express narrows the rows. A part that is too large for a
 * statement is left to memory, like a part that is not exact.
 */
function joinAll(parts: readonly TranslatedPart[], whole: Expression): TranslatedPart {
  const wheres: Predicate[] = []
  const residuals: Expression[] = []
  let inexactReason: InexactReason | null = null
  let cost = NO_COST
  for (const part of parts) {
    const sum = addCosts(cost, part.cost)
    const fits = part.where === null || isAffordable(sum, wheres.length + 1)
    if (fits && part.where !== null) {
      wheres.push(part.where)
      cost = sum
    }
    const residual = fits ? part.residual : part.whole
    if (residual !== null) residuals.push(residual)
    inexactReason ??= fits ? part.inexactReason : createOversizedPart(part.whole).inexactReason
  }
  const isEmpty = wheres.length === 0 && inexactReason !== null
  return {
    where: isEmpty ? null : logical('and', wheres),
    residual: residuals.length < 2 ? (residuals[0] ?? null) : join('and', residuals),
    inexactReason,
    cost: { ...cost, levels: cost.levels + levelsOf(wheres.length) },
    whole,
  }
}

/** One part must hold, so the rows are narrowed only if SQL can express every part. */
function joinAny(parts: readonly TranslatedPart[], whole: Expression): TranslatedPart {
  const wheres = parts.flatMap(({ where }) => (where === null ? [] : [where]))
  const inexactReason = parts.find((part) => part.inexactReason !== null)?.inexactReason ?? null
  if (wheres.length < parts.length)
    return { where: null, residual: whole, inexactReason, cost: NO_COST, whole }
  const cost = parts.reduce((sum, part) => addCosts(sum, part.cost), NO_COST)
  if (!isAffordable(cost, parts.length)) return createOversizedPart(whole)
  return {
    where: either(wheres),
    residual: inexactReason === null ? null : whole,
    inexactReason,
    cost: { ...cost, levels: cost.levels + levelsOf(parts.length) },
    whole,
  }
}

function translateLeaf(
  expression: Compare | Present,
  columns: Columns,
  negated: boolean,
): Translation {
  const column = columns(expression.path)
  if (column === undefined) {
    return { reason: `${stringifyPath(expression.path)} is not mapped to a column`, superset: null }
  }
  return expression.type === 'present'
    ? translatePresent(column, negated)
    : translateCompare(expression, column, negated)
}

function createPart(expression: Expression, whole: Expression, leaf: Translation): TranslatedPart {
  if (!('exact' in leaf)) return createInexactPart(expression, whole, leaf.reason, leaf.superset)
  return { where: leaf.exact, residual: null, inexactReason: null, cost: costOf(leaf.exact), whole }
}

function createInexactPart(
  expression: Expression,
  whole: Expression,
  reason: string,
  superset: Predicate | null,
): TranslatedPart {
  const message = (): string => `${excerptOf(expression)}: ${reason}`
  const cost = superset === null ? NO_COST : costOf(superset)
  return { where: superset, residual: whole, inexactReason: { expression, message }, cost, whole }
}

function createOversizedPart(whole: Expression): TranslatedPart {
  // Without an excerpt: a tree that was built by hand may be too deep to write.
  const message = (): string => 'the filter is too large or nested too deep for one SQL statement'
  return {
    where: null,
    residual: whole,
    inexactReason: { expression: whole, message },
    cost: NO_COST,
    whole,
  }
}

/** Deeper than `parseFilter` nests. It limits the recursion over trees that were built by hand. */
const DEPTH_LIMIT = 256
