import type { WorkBudget } from '@plumbline/scim'
import { bindList, type Fragment, raw, sql } from '@plumbline/scim/internal'
import { createId } from '../../kernel/ids.ts'
import type { ProfileRules } from '../../kernel/profiles.ts'
import { type Database, readRows } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'

/** The context for work on a tenant's resources. */
export interface TenantScope {
  readonly db: Database
  readonly dialect: SqlDialect
  readonly tenantId: string
  /** The SCIM endpoints' base URL, without a trailing slash; resource locations start with it. */
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
  /** The identity of a resource an import creates; none for a client's request. */
  readonly restored?: Restored | undefined
}

/** A resource's id and times. */
export interface Identity {
  readonly id: string
  /** When it was created, in milliseconds since 1970. */
  readonly at: number
  /** When it was last changed; defaults to `at`. */
  readonly lastModified?: number
  /** A user's entity tag; defaults to a new one. */
  readonly version?: string | undefined
}

/** The identity a resource keeps when it is imported. */
export interface Restored extends Identity {
  readonly lastModified: number
  /** A group's revision. */
  readonly revision: number
}

/** Returns a new resource's identity: the imported one, or a fresh one. */
export function identityOf({ restored, now }: Pick<TenantScope, 'restored' | 'now'>): Identity {
  return restored ?? { id: createId(now), at: now }
}

/** A resource to store with a given id and time. */
export interface NewResource<Resource> extends Identity {
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

/** The condition that selects a resource by id. */
export function keyOf({ tenantId }: TenantScope, id: string): Fragment {
  return sql`tenant_id = ${tenantId} and id = ${id}`
}
