import type { Patch } from '@plumbline/scim/patch'
import { type Database, sql } from '@remix-run/data-table'

/** What work on a tenant's resources is done in. */
export interface Scope {
  readonly db: Database
  readonly tenantId: string
  /** Where the SCIM endpoints stand, without a slash behind: resources name their location by it. */
  readonly base: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** The departures from the standard that the client needs. */
  readonly tolerate: readonly Patch.Tolerance[]
}

/** A resource to be stored with an id and a time. */
export interface Made<Resource> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly resource: Resource
}

/** Keeps others from changing a resource until the transaction ends; SQLite has one writer anyway. */
export async function lock({ db, tenantId }: Scope, table: 'users' | 'groups', id: string) {
  if (db.adapter.dialect !== 'postgres') return
  await db.exec(
    table === 'users'
      ? sql`select id from users where tenant_id = ${tenantId} and id = ${id} for update`
      : sql`select id from groups where tenant_id = ${tenantId} and id = ${id} for update`,
  )
}
