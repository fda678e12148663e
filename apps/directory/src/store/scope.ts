import type { WorkBudget } from '@plumbline/scim'
import { type Database, rawSql } from '@remix-run/data-table'
import type { ProfileRules } from '../profiles.ts'

/** The context of work on a tenant's resources. */
export interface TenantScope {
  readonly db: Database
  readonly tenantId: string
  /** The base URL of the SCIM endpoints, without a trailing slash; locations of resources start with it. */
  readonly base: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** The steps left for filters and patches. Each run of the work has its own budget. */
  readonly budget: WorkBudget
  /** The rules for the client's identity provider. */
  readonly rules: ProfileRules
}

/** A resource to store with a given id and time. */
export interface NewResource<Resource> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly resource: Resource
}

/** Locks a resource against changes until the transaction ends. SQLite has only one writer. */
export async function lock(
  { db, tenantId }: TenantScope,
  table: Table,
  id: string,
  { isLeaving = false }: { readonly isLeaving?: boolean } = {},
): Promise<void> {
  if (db.adapter.dialect !== 'postgres') return
  // A transaction that adds a member waits for the member's deletion, but not for its change: two
  // groups may contain each other.
  const strength = isLeaving ? 'update' : 'no key update'
  await db.exec(
    rawSql(`select id from ${table} where tenant_id = ? and id = ? for ${strength}`, [
      tenantId,
      id,
    ]),
  )
}

/** Returns the ids that exist, and locks these resources against deletion until the transaction ends. */
export async function hold(
  { db, tenantId }: TenantScope,
  table: Table,
  ids: readonly string[],
): Promise<readonly string[]> {
  const places = ids.map(() => '?').join(', ')
  const text = `select id from ${table} where tenant_id = ? and id in (${places})`
  const locking = db.adapter.dialect === 'postgres' ? ' for key share' : ''
  const { rows = [] } = await db.exec(rawSql(`${text}${locking}`, [tenantId, ...ids]))
  return rows.map((row) => String(row.id))
}

type Table = 'users' | 'groups'
