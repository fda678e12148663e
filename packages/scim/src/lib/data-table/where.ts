import { failure, isFailure, type Result, success } from '@plumbline/result'
import type { Predicate } from '@remix-run/data-table'
import type { ScimError } from '../error.ts'
import type { Expression } from '../filter/tree.ts'
import type { ColumnMap } from '../predicate/columns.ts'
import { EVERY } from '../predicate/predicate.ts'
import { translateFilter } from '../predicate/translate.ts'
import type { Capabilities } from '../predicate/translation.ts'
import { UntranslatableFilterError } from './error.ts'
import { writePredicate } from './write-predicate.ts'

/**
 * Translates a filter into a `@remix-run/data-table` predicate, or fails. The predicate selects exactly the same rows
 * as `compileFilter`.
 *
 * Fails with an UntranslatableFilterError if SQL cannot express the filter exactly: value paths, paths missing from
 * `columns`, negated substring matches, ordering through `ilike`, `%`, `_` and `\` in a value matched as a pattern,
 * more than 32,000 values or 900 levels of nesting. A column without a type supports only `eq` and `ne` for booleans
 * and whole numbers. Fails with `400 invalidFilter` when a value does not fit the type of a typed or folded column.
 * Exactness requires columns with a binary collation.
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
 * @see RFC 7644 §3.4.2.2
 */
export function filterToWhere(
  expression: Expression,
  columns: ColumnMap,
): Result<Predicate, ScimError | UntranslatableFilterError> {
  const result = translateFilter(expression, columns, CAPABILITIES)
  if (isFailure(result)) return result
  const { where, inexactReason } = result.data
  if (inexactReason !== null)
    return failure(new UntranslatableFilterError(inexactReason.message(), inexactReason.expression))
  return success(writePredicate(where ?? EVERY))
}

/** A filter divided between the database and memory. */
export interface SplitFilter {
  /** Selects at least the matching rows; null if no predicate narrows them. */
  readonly where: Predicate | null
  /** The filter each selected row must still pass; null if the predicate is exact. */
  readonly residual: Expression | null
}

/**
 * Divides a filter into a predicate, which selects at least the matching rows, and a filter to run over those rows in
 * memory. The predicate contains everything SQL can express within a statement's limits.
 *
 * Fails only with `400 invalidFilter`, when a value does not fit the type of a typed or folded column.
 *
 * @example
 * ```ts
 * import { splitFilter } from '@plumbline/scim/data-table'
 * import { parseFilter, stringifyFilter } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * const columns = { userName: { column: 'user_name_key', folded: true } } as const
 * const filter = unwrap(parseFilter('userName eq "A" and emails[type eq "work"]'))
 * const { where, residual } = unwrap(splitFilter(filter, columns))
 * where?.type === 'comparison' && where.value //=> 'a'
 * residual && stringifyFilter(residual) //=> 'emails[type eq "work"]'
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export function splitFilter(
  expression: Expression,
  columns: ColumnMap,
): Result<SplitFilter, ScimError> {
  const result = translateFilter(expression, columns, CAPABILITIES)
  if (isFailure(result)) return result
  const { where, residual } = result.data
  return success({ where: where && writePredicate(where), residual })
}

const CAPABILITIES: Capabilities = { escapes: false, negations: false, selections: false }
