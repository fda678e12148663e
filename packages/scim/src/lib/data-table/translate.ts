import type { Result } from '@plumbline/result'
import type { Predicate } from '@remix-run/data-table'
import { excerptOf, stringifyPath } from '../filter/stringify.ts'
import type { Compare, Expression, Present } from '../filter/tree.ts'
import { resultOf, type ScimError } from '../message/error.ts'
import { type ColumnMap, type Columns, columnsOf } from './columns.ts'
import { type Translation, translateCompare, translatePresent } from './comparison.ts'
import { type Cost, costOf, isAffordable, NO_COST, plus } from './cost.ts'
import { either, levelsOf, logical } from './predicate.ts'

/** What SQL can say of a filter, or of a part of it. */
export interface Part {
  /** Selects the matching rows, or more; null where nothing narrows them. */
  readonly where: Predicate | null
  /** What still has to hold of the rows; null where the predicate is exact. */
  readonly residual: Expression | null
  /** What the predicate lacks to be exact, the first of it; null as `residual` is. */
  readonly gap: Gap | null
  readonly cost: Cost
  /** The expression, within the negation that was pushed down to it. */
  readonly whole: Expression
}

interface Gap {
  readonly expression: Expression
  /** Written only where it is asked for: a filter may have thousands of gaps. */
  readonly message: () => string
}

/** Translates a filter; fails where a value or an operator does not go with its column. */
export function translateFilter(
  expression: Expression,
  columns: ColumnMap,
): Result<Part, ScimError> {
  return resultOf(() => translate(expression, columnsOf(columns), false, 0))
}

/** `not` goes down to the comparisons: SQL's own is neither true nor false of what is null. */
function translate(
  expression: Expression,
  columns: Columns,
  negated: boolean,
  depth: number,
): Part {
  const whole: Expression = negated ? { type: 'not', operand: expression } : expression
  if (depth > DEPTH_LIMIT) return tooLarge(whole)
  switch (expression.type) {
    case 'not':
      return translate(expression.operand, columns, !negated, depth + 1)
    case 'logical': {
      const parts = expression.operands.map((operand) =>
        translate(operand, columns, negated, depth + 1),
      )
      // De Morgan: the negation of some is all of the negations.
      const isAll = (expression.operator === 'and') !== negated
      return isAll ? all(parts, whole) : some(parts, whole)
    }
    case 'valuePath':
      return partly(
        expression,
        whole,
        'a value path tests one element of a multi-valued attribute',
        null,
      )
    default:
      return ofLeaf(expression, whole, translateLeaf(expression, columns, negated))
  }
}

/**
 * All have to hold: whatever some of them say narrows the rows. What is too large for a statement is
 * left to memory, like what is not exact.
 */
function all(parts: readonly Part[], whole: Expression): Part {
  const wheres: Predicate[] = []
  const residuals: Expression[] = []
  let gap: Gap | null = null
  let cost = NO_COST
  for (const part of parts) {
    const sum = plus(cost, part.cost)
    const fits = part.where === null || isAffordable(sum, wheres.length + 1)
    if (fits && part.where !== null) {
      wheres.push(part.where)
      cost = sum
    }
    const residual = fits ? part.residual : part.whole
    if (residual !== null) residuals.push(residual)
    gap ??= fits ? part.gap : tooLarge(part.whole).gap
  }
  const isEmpty = wheres.length === 0 && gap !== null
  return {
    where: isEmpty ? null : logical('and', wheres),
    residual: conjunctionOf(residuals),
    gap,
    cost: { ...cost, levels: cost.levels + levelsOf(wheres.length) },
    whole,
  }
}

/** One has to hold: only if each says something is the whole narrowed. */
function some(parts: readonly Part[], whole: Expression): Part {
  const wheres = parts.flatMap(({ where }) => (where === null ? [] : [where]))
  const gap = parts.find((part) => part.gap !== null)?.gap ?? null
  if (wheres.length < parts.length)
    return { where: null, residual: whole, gap, cost: NO_COST, whole }
  const cost = parts.reduce((sum, part) => plus(sum, part.cost), NO_COST)
  if (!isAffordable(cost, parts.length)) return tooLarge(whole)
  return {
    where: either(wheres),
    residual: gap === null ? null : whole,
    gap,
    cost: { ...cost, levels: cost.levels + levelsOf(parts.length) },
    whole,
  }
}

function conjunctionOf(residuals: readonly Expression[]): Expression | null {
  const [only] = residuals
  if (residuals.length < 2) return only ?? null
  const operands = residuals.flatMap((residual) =>
    residual.type === 'logical' && residual.operator === 'and' ? residual.operands : [residual],
  )
  return { type: 'logical', operator: 'and', operands }
}

function translateLeaf(
  expression: Compare | Present,
  columns: Columns,
  negated: boolean,
): Translation {
  const column = columns(expression.path)
  if (column === undefined) {
    return { reason: `${stringifyPath(expression.path)} is not mapped to a column`, wider: null }
  }
  return expression.type === 'present'
    ? translatePresent(column, negated)
    : translateCompare(expression, column, negated)
}

function ofLeaf(expression: Expression, whole: Expression, leaf: Translation): Part {
  if (!('exact' in leaf)) return partly(expression, whole, leaf.reason, leaf.wider)
  return { where: leaf.exact, residual: null, gap: null, cost: costOf(leaf.exact), whole }
}

function partly(
  expression: Expression,
  whole: Expression,
  reason: string,
  wider: Predicate | null,
): Part {
  const message = (): string => `${excerptOf(expression)}: ${reason}`
  const cost = wider === null ? NO_COST : costOf(wider)
  return { where: wider, residual: whole, gap: { expression, message }, cost, whole }
}

function tooLarge(whole: Expression): Part {
  // Not written out: a tree that was built by hand may be too deep for it.
  const message = (): string => 'the filter is too large or nested too deep for one SQL statement'
  return { where: null, residual: whole, gap: { expression: whole, message }, cost: NO_COST, whole }
}

/** Deeper than `parseFilter` nests; it bounds the recursion over trees that were built by hand. */
const DEPTH_LIMIT = 256
