import { describe } from 'vitest'
import { planContract } from '../contract/plans.ts'
import { useSqliteStore } from '../support/sqlite-store.ts'

describe('on SQLite, among 10,000 users', () => {
  planContract(useSqliteStore().storeOf)
})
