import { failure, type Result, success } from '@plumbline/result'
import type { Predicate } from '@remix-run/data-table'
import { ScimError } from '../error.ts'
import { stringifyFilter, stringifyPath } from '../filter/stringify.ts'
import type { Expression } from '../filter/tree.ts'
import { type ColumnMap, type Columns, columnsOf } from './columns.ts'
import { UntranslatableFilterError } from './error.ts'
import { type Translation, translateCompare, translatePresent } from './leaf.ts'
import { countValues, logical, MOST_VALUES } from './predicate.ts'

/**
 * Translates a filter into a predicate of `@remix-run/data-table` that selects exactly the rows that
 * `compileFilter` selects, or fails.
 *
 * Fails with an UntranslatableFilterError for what SQL cannot say exactly: value paths, paths that
 * `columns` does not name, negated substring matches, ordering through `ilike`, `%`, `_` and `\` in a
 * value that is matched as a pattern, more than 32,000 values. Fails with `400 invalidFilter` for a value
 * of the wrong type. Exactness needs columns with a binary collation.
 *
 * @example
 * ```ts
 * import { filterToWhere } from '@plumbline/scim/data-table'
 * import { parseFilter } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * const columns = { userName: { column: 'user_name_key', folded: true } } as const
 * const where = unwrap(filterToWhere(unwrap(parseFilter('userName eq "BJensen"')), columns))
 * where.type === 'comparison' && where.value //=> 'bjensen'
 * ```
 */
export function filterToWhere(
  expression: Expression,
  columns: ColumnMap,
): Result<Predicate, ScimError | UntranslatableFilterError> {
  try {
    const where = translate(expression, columnsOf(columns), false)
    if (countValues(where) > MOST_VALUES) {
      throw new UntranslatableFilterError(`the filter has more than ${MOST_VALUES} values`)
    }
    return success(where)
  } catch (error) {
    if (error instanceof ScimError || error instanceof UntranslatableFilterError) {
      return failure(error)
    }
    throw error
  }
}

/** A filter divided between the database and memory. */
export interface SplitFilter {
  /** Selects the rows that match, or more; null where nothing narrows them. */
  readonly where: Predicate | null
  /** What still has to hold of each row selected; null where the predicate is exact. */
  readonly residual: Expression | null
}

/**
 * Divides a filter into a predicate that selects the matching rows or more, and the filter that still
 * has to run over them in memory; it gives up nothing that SQL can say.
 *
 * Fails only with `400 invalidFilter`, for a value of the wrong type.
 *
 * @example
 * ```ts
 * import { splitFilter } from '@plumbline/scim/data-table'
 * import { parseFilter, stringifyFilter } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * const columns = { userName: { column: 'user_name_key', folded: true } } as const
 * const filter = unwrap(parseFilter('userName sw "a" and emails[type eq "work"]'))
 * const { where, residual } = unwrap(splitFilter(filter, columns))
 * where?.type === 'comparison' && where.value //=> 'a%'
 * residual && stringifyFilter(residual) //=> 'emails[type eq "work"]'
 * ```
 */
export function splitFilter(
  expression: Expression,
  columns: ColumnMap,
): Result<SplitFilter, ScimError> {
  try {
    const { where, residual } = split(expression, columnsOf(columns), false)
    const isTooLarge = where !== null && countValues(where) > MOST_VALUES
    return success(isTooLarge ? { where: null, residual: expression } : { where, residual })
  } catch (error) {
    if (error instanceof ScimError) return failure(error)
    throw error
  }
}

/** `not` goes down to the comparisons: SQL's own is neither true nor false of what is null. */
function translate(expression: Expression, columns: Columns, negated: boolean): Predicate {
  switch (expression.type) {
    case 'not':
      return translate(expression.operand, columns, !negated)
    case 'logical': {
      const operands = expression.operands.map((operand) => translate(operand, columns, negated))
      return logical(joined(expression.operator, negated), operands)
    }
    default: {
      const leaf = translateLeaf(expression, columns, negated)
      if ('exact' in leaf) return leaf.exact
      throw new UntranslatableFilterError(`${excerptOf(expression)}: ${leaf.reason}`)
    }
  }
}

function split(expression: Expression, columns: Columns, negated: boolean): SplitFilter {
  switch (expression.type) {
    case 'not':
      return split(expression.operand, columns, !negated)
    case 'logical': {
      const parts = expression.operands.map((operand) => split(operand, columns, negated))
      return joined(expression.operator, negated) === 'and'
        ? every(parts)
        : some(parts, negated ? { type: 'not', operand: expression } : expression)
    }
    default: {
      const leaf = translateLeaf(expression, columns, negated)
      if ('exact' in leaf) return { where: leaf.exact, residual: null }
      const residual: Expression = negated ? { type: 'not', operand: expression } : expression
      return { where: leaf.wider, residual }
    }
  }
}

/** All have to hold: whatever some of them say narrows the rows. */
function every(parts: readonly SplitFilter[]): SplitFilter {
  const wheres = parts.flatMap(({ where }) => (where === null ? [] : [where]))
  const residuals = parts.flatMap(({ residual }) => (residual === null ? [] : [residual]))
  const [only] = residuals
  return {
    where: wheres.length === 0 ? null : logical('and', wheres),
    residual:
      residuals.length > 1
        ? { type: 'logical', operator: 'and', operands: residuals.flatMap(operandsOf) }
        : (only ?? null),
  }
}

/** One has to hold: only if each says something is the whole narrowed. */
function some(parts: readonly SplitFilter[], whole: Expression): SplitFilter {
  const wheres = parts.flatMap(({ where }) => (where === null ? [] : [where]))
  const isExact = parts.every(({ residual }) => residual === null)
  return {
    where: wheres.length < parts.length ? null : logical('or', wheres),
    residual: isExact ? null : whole,
  }
}

/** De Morgan: the negation of all is the negation of one. */
function joined(operator: 'and' | 'or', negated: boolean): 'and' | 'or' {
  return (operator === 'and') !== negated ? 'and' : 'or'
}

function operandsOf(expression: Expression): readonly Expression[] {
  const isAnd = expression.type === 'logical' && expression.operator === 'and'
  return isAnd ? expression.operands : [expression]
}

function translateLeaf(
  expression: Exclude<Expression, { readonly type: 'not' | 'logical' }>,
  columns: Columns,
  negated: boolean,
): Translation {
  if (expression.type === 'valuePath') {
    return { reason: 'a value path is about one element of several', wider: null }
  }
  const column = columns(expression.path)
  if (column === undefined) {
    return { reason: `${stringifyPath(expression.path)} has no column`, wider: null }
  }
  return expression.type === 'present'
    ? translatePresent(column, negated)
    : translateCompare(expression, column, negated)
}

function excerptOf(expression: Expression): string {
  const text = stringifyFilter(expression)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
