import type { WorkBudget } from '@plumbline/scim'
import { type Fragment, raw, sql } from '@plumbline/scim/sql'
import type { ProfileRules } from '../profiles.ts'
import { bindList, type Database, readRows } from './database.ts'
import type { SqlDialect } from './store.ts'
import { rowsOf } from './tenant-rows.ts'

/** The context of work on a tenant's resources. */
export interface TenantScope {
  readonly db: Database
  readonly dialect: SqlDialect
  readonly tenantId: string
  /** The base URL of the SCIM endpoints, without a trailing slash; locations of resources start with it. */
  readonly base: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** The steps left for filters and patches. Each run of the work has its own budget. */
  readonly budget: WorkBudget
  /** The rules for the client's identity provider. */
  readonly rules: ProfileRules
  /** Waits for a turn of the event loop, before work that blocks it; undefined if the tenant need not wait. */
  readonly turn?: () => Promise<void> | undefined
  /** Whether a search must read few rows, because other requests wait for it; false by default. */
  readonly isLookUp?: boolean
}

/** A resource to store with a given id and time. */
export interface NewResource<Resource> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly resource: Resource
}

/** Locks a resource against changes until the transaction ends. */
export async function lockForUpdate(
  { db, tenantId, dialect }: TenantScope,
  table: string,
  id: string,
  { isLeaving = false }: { readonly isLeaving?: boolean } = {},
): Promise<void> {
  if (dialect.locks === null) return
  const lock = isLeaving ? dialect.locks.delete : dialect.locks.change
  await db.exec(
    sql`select id from ${raw(table)} where tenant_id = ${tenantId} and id = ${id} ${raw(lock)}`,
  )
}

/** Returns the ids that exist, and locks these resources against deletion until the transaction ends. */
export async function lockReferenced(
  { db, tenantId, dialect }: TenantScope,
  table: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const lock = raw(dialect.locks?.reference ?? '')
  const rows = await readRows<{ readonly id: string }>(
    db,
    sql`select id from ${rowsOf(tenantId, table)} and id in (${bindList(ids)}) ${lock}`,
  )
  return rows.map(({ id }) => id)
}

/** The condition that selects a resource by its id. */
export function keyOf({ tenantId }: TenantScope, id: string): Fragment {
  return sql`tenant_id = ${tenantId} and id = ${id}`
}
