import type { ListQuery } from '../model.ts'
import { createSortOrder, spendOnSort } from '../resource/sort.ts'
import type { Definitions } from '../schema/types.ts'
import { compareText } from '../values/code-point-order.ts'
import type { WorkBudget } from '../work-budget.ts'

/** A position in a list: at a row, which may be deleted by now. */
export interface Position {
  /** The row's id. */
  readonly id: string
  /** The value it is sorted by; null if it is unassigned, or if rows are sorted only by id. */
  readonly key: string | number | boolean | null
}

/** A position where a page starts or ends. */
export interface Place extends Position {
  /** Whether the page follows the position. Otherwise it precedes it, and is read backward. */
  readonly isForward: boolean
  /** Whether the page includes the row at the position. */
  readonly isInclusive: boolean
}

/** An in-memory row order: by sort key, and then by id. */
export interface RowOrder<in Row> {
  /** Returns a row's sort key. */
  readonly keyOf: (row: Row) => Position['key']
  /** Sorts positions. Throws `400 tooMany` if long keys exceed the request's budget. */
  readonly sort: <Entry extends Position>(entries: Entry[]) => Entry[]
  /** Compares two positions. */
  readonly compare: (a: Position, b: Position) => number
}

/** The `rowOrder` options. */
export interface RowOrderOptions<Row> {
  /** The resource type's definitions. */
  readonly definitions: Definitions
  /** The request's budget, which comparing long keys spends. Unlimited by default. */
  readonly budget?: WorkBudget | undefined
  /** Returns a row's resource, with the sort attribute. */
  readonly resourceOf: (row: Row) => object
}

/**
 * Creates the order from `compareResources` for rows a store sorts in memory.
 *
 * @example
 * ```ts
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { rowOrder } from '@plumbline/scim/internal'
 *
 * const query = { sortBy: 'userName', sortOrder: 'ascending' } as const
 * const { keyOf } = rowOrder<object>(query, {
 *   definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
 *   resourceOf: (row) => row,
 * })
 * keyOf({ userName: 'BJensen' }) //=> 'bjensen'
 * ```
 * @see RFC 7644 §3.4.2.3
 */
export function rowOrder<Row>(
  query: Pick<ListQuery, 'sortBy' | 'sortOrder'>,
  { definitions, budget, resourceOf }: RowOrderOptions<Row>,
): RowOrder<Row> {
  const { read, compare } = createSortOrder(query, definitions)
  const compareAt = (a: Position, b: Position): number =>
    compare(a.key, b.key) || compareText(a.id, b.id)
  return {
    keyOf: (row) => keyIn(read(resourceOf(row))),
    sort: (entries) => {
      if (budget !== undefined) {
        spendOnSort(
          budget,
          entries.map(({ key }) => key),
        )
      }
      return entries.sort(compareAt)
    },
    compare: compareAt,
  }
}

/** Returns the entries from a place on, in the page's direction; all entries for null. */
export function entriesFrom<Entry extends Position>(
  sorted: readonly Entry[],
  place: Place | null,
  compare: RowOrder<never>['compare'],
): readonly Entry[] {
  if (place === null) return sorted
  const { isForward, isInclusive } = place
  const at = sorted.filter((entry) => {
    const sign = compare(entry, place)
    return isForward === isInclusive ? sign < 0 : sign <= 0
  }).length
  return isForward ? sorted.slice(at) : sorted.slice(0, at).reverse()
}

/** Sort keys are strings, numbers and booleans. */
function keyIn(key: unknown): Position['key'] {
  return typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean' ? key : null
}
