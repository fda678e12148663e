import { describe } from 'vitest'
import { extensionChangeContract } from '../../contract/extension-changes.ts'
import { extensionContract } from '../../contract/extensions.ts'
import { secretTagContract } from '../../contract/secret-tags.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

describe('on SQLite', () => {
  const { storeOf } = useSqliteStore()
  extensionContract(storeOf)
  extensionChangeContract(storeOf)
  secretTagContract(storeOf)
})
