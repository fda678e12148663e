import type { Filter } from '@plumbline/scim/filter'
import {
  type IndexedColumnMap,
  narrowFilter,
  type PredicateFilter,
  type ValueIndex,
} from '@plumbline/scim/internal'
import { readRows } from '../../../kernel/store/database.ts'
import type { TenantScope } from '../scope.ts'
import { BroadSearchError } from './list.ts'

/** The columns filters compare, and the index of multi-valued attributes; none by default. */
export interface FilteredColumns {
  readonly columns: IndexedColumnMap
  readonly index?: ValueIndex | undefined
}

/**
 * Divides a filter between the database and memory. Values found in few resources are looked up first.
 *
 * Throws a BroadSearchError if the search was expected to be a lookup, but is not.
 */
export async function narrow(
  { db, dialect, tenantId, isLookUp = false }: TenantScope,
  filter: Filter.Expression,
  { columns, index }: FilteredColumns,
): Promise<PredicateFilter> {
  const { where, residual, isBroad } = await narrowFilter(filter, columns, {
    run: (statement) => readRows(db, statement),
    dialect: dialect.name,
    id: 'id',
    known: { tenant_id: tenantId },
    isBinary: true,
    index,
  })
  if (isLookUp && isBroad) throw new BroadSearchError()
  return { where, residual }
}
