import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { PATIENT } from './harness.ts'

/** Opens a store on a new SQLite file for the tests of a group, and removes the file after them. */
export function useSqliteStore(): { readonly folder: string; readonly storeOf: () => Store } {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  let store: Store
  beforeAll(async () => {
    store = await openSqlite(join(folder, 'directory.db'), PATIENT)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return { folder, storeOf: () => store }
}
