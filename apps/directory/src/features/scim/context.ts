import { createWorkBudget, type WorkBudget } from '@plumbline/scim'
import type { StoreRequest } from '@plumbline/scim/endpoint'
import type { Principal } from '../../kernel/access/authenticate.ts'
import { rulesOf } from '../../kernel/profiles.ts'
import type { Subject } from '../../kernel/requests/outcome.ts'
import type { Database } from '../../kernel/store/database.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { Restored, TenantScope } from './scope.ts'
import type { TenantSchemas } from './tenant-schemas.ts'

/** A SCIM request's sender, and the database with its resources. */
export interface DirectoryContext {
  readonly principal: Principal
  readonly store: Store
  /** The tenant's schemas. */
  readonly schemas: TenantSchemas
  /** A write's open transaction; otherwise null. */
  readonly db: Database | null
  /** The identity for a resource an import writes; absent in a client's request. */
  readonly restored?: Restored
  /** The request's resource, for the logs. */
  readonly subject: Subject
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/** The parts of a request from the directory itself. */
export interface InnerRequest
  extends Pick<DirectoryContext, 'store' | 'schemas' | 'now'>,
    Pick<Principal, 'tenantId'>,
    Partial<Pick<Principal, 'profile'>> {}

/** Creates the context for a request from the directory itself, with the profile `standard` by default. */
export function innerContext({
  store,
  schemas,
  now,
  tenantId,
  profile = 'standard',
}: InnerRequest): DirectoryContext {
  const ids = { tenantId, userId: null, tokenId: null }
  const principal = { ...ids, role: 'client', profile, access: 'write' } as const
  const subject = { resourceId: null, userName: null }
  return { principal, store, schemas, now, db: null, subject }
}

/** Returns the scope for work in a transaction. Retried work gets a new budget each time. */
export function scopeOf(
  { principal, store, now, restored }: DirectoryContext,
  { base }: Pick<StoreRequest, 'base'>,
  db: Database,
  budget: WorkBudget = createWorkBudget(),
): TenantScope {
  const { tenantId, profile } = principal
  const rules = rulesOf(profile)
  const turn = () => store.turns.next(tenantId)
  return { db, dialect: store.dialect, tenantId, base, now: now(), budget, rules, turn, restored }
}
