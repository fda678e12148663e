import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openSqlite } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { storeContract } from './contract/store.ts'

describe('on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  let store: Store
  beforeAll(async () => {
    store = await openSqlite(join(folder, 'directory.db'))
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  storeContract(() => store)
})
