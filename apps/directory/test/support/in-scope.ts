import { createWorkBudget, USER_SCHEMA } from '@plumbline/scim'
import type { TenantScope } from '../../src/features/scim/scope.ts'
import { USER_STORE } from '../../src/features/scim/user.ts'
import { createTenant } from '../../src/features/tenants/store.ts'
import { rulesOf } from '../../src/kernel/profiles.ts'
import type { Store } from '../../src/kernel/store/store.ts'

/** Runs work of a tenant in a transaction that writes. */
export function inScope<Value>(
  store: Store,
  tenantId: string,
  work: (scope: TenantScope) => Promise<Value>,
): Promise<Value> {
  const { dialect } = store
  const rules = rulesOf('standard')
  return store.write((db) => {
    const budget = createWorkBudget()
    return work({ db, dialect, tenantId, base: 'http://localhost/scim/v2', now: 0, budget, rules })
  })
}

/** Creates a tenant, and returns its id. */
export async function newTenant(store: Store): Promise<string> {
  const id = crypto.randomUUID()
  await store.write((db) => createTenant(db, { id, name: 'Test', created_at: 0 }))
  return id
}

/** Adds a user with a given id to a tenant. */
export async function withUser(store: Store, tenantId: string, id: string): Promise<void> {
  const resource = { schemas: [USER_SCHEMA], userName: id }
  await inScope(store, tenantId, (scope) => USER_STORE.insert(scope, [{ id, at: 0, resource }]))
}
