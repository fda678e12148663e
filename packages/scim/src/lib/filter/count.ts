import type { Expression } from './tree.ts'

/**
 * Counts a filter's comparisons: each operator with its attribute, `pr` included.
 *
 * @example
 * ```ts
 * import { parseFilter } from '@plumbline/scim/filter'
 * import { countComparisons } from '@plumbline/scim/internal'
 * import { unwrap } from '@plumbline/result'
 *
 * const filter = unwrap(parseFilter('emails[type eq "work" and value co "b"] or title pr'))
 * countComparisons(filter) //=> 3
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export function countComparisons(expression: Expression): number {
  switch (expression.type) {
    case 'compare':
    case 'present':
      return 1
    case 'logical':
      return expression.operands.reduce((sum, operand) => sum + countComparisons(operand), 0)
    case 'not':
      return countComparisons(expression.operand)
    case 'valuePath':
      return countComparisons(expression.filter)
  }
}

/** The maximum number of comparisons in a PATCH path's filter. */
export const MAX_COMPARISONS = 1_000
