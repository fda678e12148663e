import type { WorkBudget } from '@plumbline/scim'
import { type Database, rawSql } from '@remix-run/data-table'
import type { ProfileRules } from '../profiles.ts'

/** What work on a tenant's resources is done in. */
export interface TenantScope {
  readonly db: Database
  readonly tenantId: string
  /** Where the SCIM endpoints stand, without a slash behind: resources name their location by it. */
  readonly base: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** The steps that are left for filters and patches. Each run of the work has a budget of its own. */
  readonly budget: WorkBudget
  /** What is done differently for the client's identity provider. */
  readonly rules: ProfileRules
}

/** A resource to be stored with an id and a time. */
export interface NewResource<Resource> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly resource: Resource
}

/** Keeps others from changing a resource until the transaction ends; SQLite has one writer anyway. */
export async function lock(
  { db, tenantId }: TenantScope,
  table: Table,
  id: string,
  { isLeaving = false }: { readonly isLeaving?: boolean } = {},
): Promise<void> {
  if (db.adapter.dialect !== 'postgres') return
  // Who holds a resource waits for its deletion, and not for its change: groups may hold each other.
  const strength = isLeaving ? 'update' : 'no key update'
  await db.exec(
    rawSql(`select id from ${table} where tenant_id = ? and id = ? for ${strength}`, [
      tenantId,
      id,
    ]),
  )
}

/** Which of the resources are there; none of them is deleted until the transaction ends. */
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
