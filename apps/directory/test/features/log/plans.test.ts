import { describe } from 'vitest'
import { provisioningPlanContract } from '../../contract/provisioning-plans.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

describe('the provisioning log on SQLite', () => {
  provisioningPlanContract(useSqliteStore().storeOf)
})
