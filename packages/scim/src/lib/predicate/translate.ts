import type { Result } from '@plumbline/result'
import { resultOf, type ScimError } from '../error.ts'
import { join } from '../filter/operands.ts'
import { excerptOf } from '../filter/stringify.ts'
import type { Compare, Expression, Present, ValuePath } from '../filter/tree.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { fold } from '../values/fold.ts'
import { type Columns, prepareColumns } from './column-map.ts'
import type { Column, IndexedColumnMap } from './columns.ts'
import { translateCompare, translatePresent } from './comparison.ts'
import { addCosts, type Cost, costOf, isAffordable, NO_COST } from './cost.ts'
import { type ElementTest, translateElements, translateSome } from './elements.ts'
import { mergeSelections } from './merge.ts'
import { EVERY, either, levelsOf, logical, type Predicate } from './predicate.ts'
import type { Capabilities, Translation } from './translation.ts'

/** A translated filter or subexpression. */
export interface TranslatedPart {
  /** Selects at least the matching rows; null if no predicate narrows them. */
  readonly where: Predicate | null
  /** The filter the selected rows must still pass; null if the predicate is exact. */
  readonly residual: Expression | null
  /** The first reason why the predicate is not exact; null if it is exact. */
  readonly inexactReason: InexactReason | null
  readonly cost: Cost
  /** The expression, including the negation pushed down to it. */
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
  columns: IndexedColumnMap,
  capabilities: Capabilities,
): Result<TranslatedPart, ScimError> {
  const scope = { columns: prepareColumns(columns), capabilities }
  return resultOf(() => translate(expression, scope, false, 0))
}

/** Resolves paths, and describes what predicates can express. */
interface Scope {
  readonly columns: Columns
  readonly capabilities: Capabilities
}

/** Pushes `not` down to the comparisons: in SQL, negating a comparison with null is null. */
function translate(
  expression: Expression,
  scope: Scope,
  negated: boolean,
  depth: number,
): TranslatedPart {
  const whole: Expression = negated ? { type: 'not', operand: expression } : expression
  if (depth > DEPTH_LIMIT) return createOversizedPart(whole)
  switch (expression.type) {
    case 'not':
      return translate(expression.operand, scope, !negated, depth + 1)
    case 'logical': {
      const parts = expression.operands.map((operand) =>
        translate(operand, scope, negated, depth + 1),
      )
      // De Morgan: a disjunction's negation is the negations' conjunction.
      const isAll = (expression.operator === 'and') !== negated
      return isAll ? joinAll(parts, whole) : joinAny(parts, whole)
    }
    case 'valuePath':
      return createPart(expression, whole, translateValuePath(expression, scope, negated, depth))
    default:
      return createPart(expression, whole, translateLeaf(expression, scope, negated))
  }
}

/**
 * Joins parts with `and`: each part SQL can express narrows the rows. Parts too large for a statement are left to
 * memory, like inexact ones.
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

/** Joins parts with `or`: the rows are narrowed only if SQL can express every part. */
function joinAny(parts: readonly TranslatedPart[], whole: Expression): TranslatedPart {
  const { wheres, cost } = mergeSelections(parts)
  const inexactReason = parts.find((part) => part.inexactReason !== null)?.inexactReason ?? null
  if (parts.some(({ where }) => where === null))
    return { where: null, residual: whole, inexactReason, cost: NO_COST, whole }
  if (!isAffordable(cost, wheres.length)) return createOversizedPart(whole)
  return {
    where: either(wheres),
    residual: inexactReason === null ? null : whole,
    inexactReason,
    cost: { ...cost, levels: cost.levels + levelsOf(wheres.length) },
    whole,
  }
}

function translateLeaf(
  expression: Compare | Present,
  { columns, capabilities }: Scope,
  negated: boolean,
): Translation {
  const column = columns.column(expression.path)
  if (column !== undefined) {
    return expression.type === 'present'
      ? translatePresent(expression, column, negated, capabilities)
      : translateCompare(expression, column, negated, capabilities)
  }
  const sources = columns.elements(expression.path)
  if (sources !== undefined) return translateElements(expression, sources, negated, capabilities)
  return { reason: `${stringifyPath(expression.path)} is not mapped to a column`, superset: null }
}

/** One element must match the whole filter (RFC 7644 §3.4.2.2). */
function translateValuePath(
  { path, filter }: ValuePath,
  { columns, capabilities }: Scope,
  negated: boolean,
  depth: number,
): Translation {
  const sources = path.subAttribute === null ? columns.elements(path) : undefined
  if (sources === undefined) return { reason: VALUE_PATH, superset: null }
  const test: ElementTest = (source, options) => {
    const scope = { columns: createElementColumns(source.columns), capabilities }
    const { where, inexactReason } = translate(filter, scope, options.negated, depth + 1)
    if (inexactReason === null) return { exact: where ?? EVERY }
    return { reason: inexactReason.message(), superset: where }
  }
  return translateSome(sources, test, negated, capabilities)
}

/** Inside brackets, names refer to sub-attributes. */
function createElementColumns(parts: ReadonlyMap<string, Column>): Columns {
  return {
    column: ({ schema, attribute, subAttribute }) =>
      schema === null && subAttribute === null ? parts.get(fold(attribute)) : undefined,
    elements: () => undefined,
  }
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
  // No excerpt: a hand-built tree may be too deep to write.
  const message = (): string => 'the filter is too large or nested too deep for one SQL statement'
  return {
    where: null,
    residual: whole,
    inexactReason: { expression: whole, message },
    cost: NO_COST,
    whole,
  }
}

const VALUE_PATH = 'a value path tests one element of a multi-valued attribute'
/** Deeper than `parseFilter` nests. It limits the recursion over hand-built trees. */
const DEPTH_LIMIT = 256
