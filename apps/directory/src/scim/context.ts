import { createWorkBudget, type WorkBudget } from '@plumbline/scim'
import type { StoreRequest } from '@plumbline/scim/endpoint'
import type { Principal } from '../auth/authenticate.ts'
import type { Subject } from '../outcome.ts'
import { rulesOf } from '../profiles.ts'
import type { Database } from '../store/database.ts'
import type { TenantScope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import type { TenantSchemas } from '../tenants/schemas.ts'

/** The sender of a SCIM request, and the database with its resources. */
export interface DirectoryContext {
  readonly principal: Principal
  readonly store: Store
  /** The tenant's schemas. */
  readonly schemas: TenantSchemas
  /** The open transaction of a write; null outside of one. */
  readonly db: Database | null
  /** The resource the request is about, for the logs. */
  readonly subject: Subject
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/** The scope of work in a transaction. Work that is retried has a new budget each time. */
export function scopeOf(
  { principal, store, now }: DirectoryContext,
  { base }: Pick<StoreRequest, 'base'>,
  db: Database,
  budget: WorkBudget = createWorkBudget(),
): TenantScope {
  const { tenantId, profile } = principal
  const rules = rulesOf(profile)
  const turn = () => store.turns.next(tenantId)
  return { db, dialect: store.dialect, tenantId, base, now: now(), budget, rules, turn }
}
