import { describe } from 'vitest'
import { largeStoreContract } from '../../../../contract/store.ts'
import { useSqliteStore } from '../../../../support/sqlite-store.ts'

describe('on SQLite', () => {
  largeStoreContract(useSqliteStore().storeOf)
})
