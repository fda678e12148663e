import { afterAll, beforeAll, describe } from 'vitest'
import { openSqlite } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { injectionContract } from './contract/injection.ts'

describe('on SQLite', () => {
  let store: Store
  beforeAll(async () => {
    store = await openSqlite(':memory:')
  })
  afterAll(() => store.close())
  describe('an injection', () => injectionContract(() => store))
})
