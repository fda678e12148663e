import type { Expression } from '../filter/tree.ts'

/**
 * The error for a filter SQL cannot express exactly. Run the filter in memory with `compileFilter`, or narrow the rows
 * with `splitFilter`. The filter itself is valid, so do not send this error to the client.
 *
 * @example
 * ```ts
 * import { filterToWhere } from '@plumbline/scim/data-table'
 * import { parseFilter } from '@plumbline/scim/filter'
 * import { isFailure, unwrap } from '@plumbline/result'
 *
 * const result = filterToWhere(unwrap(parseFilter('active eq true and title pr')), {
 *   active: { column: 'active', type: 'boolean' },
 * })
 * isFailure(result) && result.error.message //=> 'title pr: title is not mapped to a column'
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export class UntranslatableFilterError extends Error {
  override readonly name: string = 'UntranslatableFilterError'
  /** The first subexpression SQL cannot express, unchanged. */
  readonly expression: Expression

  constructor(message: string, expression: Expression) {
    super(message)
    this.expression = expression
  }
}
