import { afterAll, beforeAll, describe } from 'vitest'
import { openSqlite } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { planContract } from './contract/plans.ts'

describe('on SQLite, among 10,000 users', () => {
  let store: Store
  beforeAll(async () => {
    store = await openSqlite(':memory:')
  })
  afterAll(() => store.close())
  planContract(() => store)
})
