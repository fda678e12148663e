import { fold, type Scim, ScimError } from '@plumbline/scim'
import type { Filter } from '@plumbline/scim/filter'
import { countComparisons, type Predicate, type PredicateFilter } from '@plumbline/scim/internal'
import type { TenantScope } from '../scope.ts'
import { conjunctsOf, soughtIn } from './filters.ts'
import type { Listing } from './list.ts'

/** A query, divided between the database and memory. */
export interface Search {
  /** Selects a superset of the tenant's matching rows; null for all rows. */
  readonly where: Predicate | null
  /** The filter left to run over each row, or null. */
  readonly residual: Filter.Expression | null
  /** The database's sort column before the id; null to sort only by id. */
  readonly column: string | null
  readonly isDescending: boolean
  /** Whether that is the requested order; else the rows are sorted in memory. */
  readonly isSorted: boolean
}

/** The maximum number of resources read into memory if SQL cannot express the whole filter. */
export const MAX_CANDIDATES = 10_000

/** A filter's maximum number of comparisons: query planning takes quadratic time. */
const MAX_COMPARISONS = 1_000

/**
 * The maximum total length of `co`, `sw` and `ew` values, in code units. At each row, databases compare them
 * with each position in a string of up to 2,000 bytes, and cannot be stopped. This takes about 50 ms.
 */
const MAX_SOUGHT = 10_000

/** Divides a query between the database and memory. The SCIM endpoint has already validated the filter. */
export async function planSearch<Row>(
  scope: TenantScope,
  { filter, sortBy, sortOrder }: Scim.ListQuery,
  listing: Listing<Row>,
): Promise<Search> {
  const { where, residual } = await narrowFilter(scope, filter, listing)
  const column =
    sortBy === undefined ? timeColumn(filter, listing) : sortColumn(fold(sortBy), listing)
  return {
    where,
    residual,
    column: column === undefined || column === 'id' ? null : column,
    isDescending: sortBy !== undefined && column !== undefined && sortOrder === 'descending',
    isSorted: column !== undefined,
  }
}

/** Returns the database's row order, or its reverse; one index serves both. */
export function orderOf(
  { column, isDescending }: Search,
  { isForward = true } = {},
): readonly (readonly [column: string, direction: 'asc' | 'desc'])[] {
  const direction = isDescending === isForward ? 'desc' : 'asc'
  return [...(column === null ? [] : [[column, direction] as const]), ['id', direction]]
}

/**
 * Returns the sort column for a query without `sortBy` (RFC 7644 §3.4.2.3 leaves the order open). If the filter
 * bounds a time, the list is sorted by that time, so one index serves both.
 */
function timeColumn<Row>(filter: Filter.Expression | undefined, listing: Listing<Row>): string {
  if (filter === undefined) return 'id'
  for (const conjunct of conjunctsOf(filter)) {
    if (conjunct.type !== 'compare' || !BOUNDS.has(conjunct.operator)) continue
    const { attribute, subAttribute } = conjunct.path
    const column = sortColumn(fold(`${attribute}.${subAttribute}`), listing)
    if (column !== undefined) return column
  }
  return 'id'
}

const BOUNDS: ReadonlySet<Filter.Operator> = new Set(['gt', 'ge', 'lt', 'le'])

function sortColumn<Row>(attribute: string, { sortColumns }: Listing<Row>): string | undefined {
  return Object.hasOwn(sortColumns, attribute) ? sortColumns[attribute] : undefined
}

async function narrowFilter<Row>(
  scope: TenantScope,
  filter: Filter.Expression | undefined,
  { narrow }: Listing<Row>,
): Promise<PredicateFilter> {
  if (filter === undefined) return { where: null, residual: null }
  if (countComparisons(filter) > MAX_COMPARISONS) {
    throw new ScimError(400, `the filter has more than ${MAX_COMPARISONS} comparisons`, {
      scimType: 'invalidFilter',
    })
  }
  if (soughtIn(filter) > MAX_SOUGHT) {
    throw new ScimError(
      400,
      `the values of co, sw and ew in the filter have more than ${MAX_SOUGHT} characters`,
      { scimType: 'tooMany' },
    )
  }
  return await narrow(scope, filter)
}
