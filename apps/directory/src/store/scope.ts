import type { WorkBudget } from '@plumbline/scim'
import { type Database, rawSql } from '@remix-run/data-table'
import type { ProfileRules } from '../profiles.ts'
import { type Condition, equals, inTenant } from './predicates.ts'
import type { SqlDialect } from './store.ts'
import { readRows } from './tables.ts'

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
    rawSql(`select id from ${table} where tenant_id = ? and id = ? ${lock}`, [tenantId, id]),
  )
}

/** Returns the ids that exist, and locks these resources against deletion until the transaction ends. */
export async function lockReferenced(
  { db, tenantId, dialect }: TenantScope,
  table: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const places = ids.map(() => '?').join(', ')
  const text = `select id from ${table} where tenant_id = ? and id in (${places})`
  const lock = dialect.locks?.reference ?? ''
  const statement = rawSql(`${text} ${lock}`, [tenantId, ...ids])
  return (await readRows<{ readonly id: string }>(db, statement)).map(({ id }) => id)
}

/** The condition that selects a resource by its id. */
export function keyOf({ tenantId }: TenantScope, id: string): Condition {
  return inTenant(tenantId, equals('id', id))
}
