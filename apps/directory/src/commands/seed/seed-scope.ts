import { createWorkBudget } from '@plumbline/scim'
import type { TenantScope } from '../../features/scim/scope.ts'
import { rulesOf } from '../../kernel/profiles.ts'
import type { Database } from '../../kernel/store/database.ts'
import type { Store } from '../../kernel/store/store.ts'

/** The scope for sample data, which no client has requested. */
export function seedScope(
  db: Database,
  { dialect }: Pick<Store, 'dialect'>,
  tenantId: string,
): TenantScope {
  return {
    db,
    dialect,
    tenantId,
    base: '',
    now: 0,
    budget: createWorkBudget(),
    rules: rulesOf('standard'),
  }
}
