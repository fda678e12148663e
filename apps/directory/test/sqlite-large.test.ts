import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { largeStoreContract } from './contract/store.ts'
import { PATIENT } from './harness.ts'

describe('on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  let store: Store
  beforeAll(async () => {
    store = await openSqlite(join(folder, 'directory.db'), PATIENT)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  largeStoreContract(() => store)
})
