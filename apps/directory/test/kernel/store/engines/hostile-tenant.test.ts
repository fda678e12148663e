import { describe } from 'vitest'
import { hostileContract } from '../../../contract/hostile.ts'
import { useSqliteStore } from '../../../support/sqlite-store.ts'

describe('on SQLite, while another tenant looks up a user,', () => {
  hostileContract(useSqliteStore().storeOf)
})
