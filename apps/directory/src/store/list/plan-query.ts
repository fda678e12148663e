import { isFailure } from '@plumbline/result'
import { type Scim, ScimError } from '@plumbline/scim'
import { splitFilter } from '@plumbline/scim/data-table'
import { compileFilter, countComparisons, type Filter } from '@plumbline/scim/filter'
import type { Predicate } from '@remix-run/data-table'
import type { TenantScope } from '../scope.ts'
import { conjunctsOf, soughtIn } from './filters.ts'
import { equals, type Listing, type NarrowedFilter } from './list.ts'

/** What a query asks of the database, and what is left to be done in memory. */
export interface Search {
  /** Conditions that select the matching rows of the tenant, or more of them. */
  readonly where: readonly Predicate[]
  /** What still has to hold of each row; null for nothing. */
  readonly residual: Filter.Expression | null
  /** The column that the database sorts by before the id; null for the id alone. */
  readonly column: string | null
  readonly isDescending: boolean
  /** Whether that is the order asked for; else the rows are sorted in memory. */
  readonly isSorted: boolean
}

/** How many resources are read into memory at most, where the database cannot say all of a filter. */
export const MOST_CANDIDATES = 10_000

/** How long a filter is at most: databases plan in the square of the conditions that they are given. */
const MOST_COMPARISONS = 1_000

/**
 * How many code units `co`, `sw` and `ew` search for: at each row, databases compare them with each place of
 * a text of up to 2,000 bytes, and cannot be stopped meanwhile. This many take about 50 ms.
 */
const MOST_SOUGHT = 10_000

/** Divides a query between the database and memory. */
export async function searchOf<Row>(
  scope: TenantScope,
  { filter, sortBy, sortOrder }: Scim.ListQuery,
  listing: Listing<Row>,
): Promise<Search> {
  const { where, residual } = await narrowed(scope, filter, listing)
  const column =
    sortBy === undefined ? bounded(filter, listing) : sortColumn(sortBy.toLowerCase(), listing)
  return {
    // The tenant is outside of whatever the client asks for.
    where: [equals('tenant_id', scope.tenantId), ...(where ? [where] : [])],
    residual,
    column: column === undefined || column === 'id' ? null : column,
    isDescending: sortBy !== undefined && column !== undefined && sortOrder === 'descending',
    isSorted: column !== undefined,
  }
}

/** All conditions as one. */
export function every(predicates: readonly Predicate[]): Predicate {
  return { type: 'logical', operator: 'and', predicates: [...predicates] }
}

/** The order in which the database gives the rows, or its opposite; one index serves both. */
export function orderOf(
  { column, isDescending }: Search,
  { isForward = true } = {},
): readonly (readonly [column: string, direction: 'asc' | 'desc'])[] {
  const direction = isDescending === isForward ? 'desc' : 'asc'
  return [...(column === null ? [] : [[column, direction] as const]), ['id', direction]]
}

/** Why a search is not done in memory. */
export function tooMany(): ScimError {
  return new ScimError(400, `more than ${MOST_CANDIDATES} resources would have to be searched`, {
    scimType: 'tooMany',
  })
}

/**
 * The column by whose order a search comes that asks for none (RFC 7644 §3.4.2.3 leaves it to us): one
 * that is bounded by a time comes in the order of that time, so that one index serves both.
 */
function bounded<Row>(filter: Filter.Expression | undefined, listing: Listing<Row>): string {
  for (const conjunct of filter ? conjunctsOf(filter) : []) {
    if (conjunct.type !== 'compare' || !BOUNDS.has(conjunct.operator)) continue
    const { attribute, subAttribute } = conjunct.path
    const column = sortColumn(`${attribute}.${subAttribute}`.toLowerCase(), listing)
    if (column !== undefined) return column
  }
  return 'id'
}

const BOUNDS: ReadonlySet<Filter.Operator> = new Set(['gt', 'ge', 'lt', 'le'])

function sortColumn<Row>(attribute: string, { sortColumns }: Listing<Row>): string | undefined {
  return Object.hasOwn(sortColumns, attribute) ? sortColumns[attribute] : undefined
}

async function narrowed<Row>(
  scope: TenantScope,
  filter: Filter.Expression | undefined,
  { definitions, columns, narrow }: Listing<Row>,
): Promise<NarrowedFilter> {
  if (filter === undefined) return { where: null, residual: null }
  if (countComparisons(filter) > MOST_COMPARISONS) {
    throw new ScimError(400, `the filter has more than ${MOST_COMPARISONS} comparisons`, {
      scimType: 'invalidFilter',
    })
  }
  if (soughtIn(filter) > MOST_SOUGHT) {
    throw new ScimError(
      400,
      `the filter searches for more than ${MOST_SOUGHT} characters inside of texts`,
      { scimType: 'tooMany' },
    )
  }
  // All that is wrong with a filter is refused, whether the database would see it or not.
  const compiled = compileFilter(filter, { definitions })
  if (isFailure(compiled)) throw compiled.error
  const split = splitFilter(filter, columns)
  if (isFailure(split)) throw split.error
  const { where, residual } = split.data
  if (residual === null) return split.data
  const further = await narrow(scope, residual)
  if (where === null || further.where === null) {
    return { where: where ?? further.where, residual: further.residual }
  }
  return { where: every([where, further.where]), residual: further.residual }
}
