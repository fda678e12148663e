import { COMPARISON_ROWS, type ComparisonRowName } from './comparison-rows.ts'
import type { FilterRow } from './filter-row.ts'
import { LOGIC_ROWS, type LogicRowName } from './logic-rows.ts'

/** A row name in `FILTER_ROWS`. */
export type FilterRowName = ComparisonRowName | LogicRowName

/**
 * Filters over the people of `peopleOf`, and the people each of them selects. `storeContract` and the checks of
 * `@plumbline/doctor` take their filters from this table.
 *
 * The rows hold for the attributes as RFC 7643 defines them: if `userName` is `caseExact`, the results differ. Other
 * users on a server may match, too.
 *
 * @example
 * ```ts
 * import { FILTER_ROWS } from '@plumbline/doctor/testing'
 *
 * const { filter, selects } = FILTER_ROWS.startsWith
 * filter('run-1') //=> 'userName sw "run-1.EV"'
 * selects //=> ['eve']
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export const FILTER_ROWS: Readonly<Record<FilterRowName, FilterRow>> = {
  ...COMPARISON_ROWS,
  ...LOGIC_ROWS,
}
