import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, vi } from 'vitest'
import { openSqlite } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { boundContract } from './contract/bounds.ts'
import { bulkContract } from './contract/bulk.ts'
import { cursorContract } from './contract/cursors.ts'
import { groupContract } from './contract/groups.ts'
import { listContract } from './contract/lists.ts'
import { runContract } from './contract/runs.ts'
import { seedContract } from './contract/seed.ts'
import { userContract } from './contract/users.ts'

// Every commit waits for a disk that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

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
  describe('users', () => userContract(() => store))
  describe('lists', () => listContract(() => store))
  describe('bounds', () => boundContract(() => store))
  describe('cursors', () => cursorContract(() => store))
  describe('groups', () => groupContract(() => store))
  describe('a filled directory', () => seedContract(() => store))
  describe('runs', () => runContract(() => store))
  describe('bulk', () => bulkContract(() => store))
})
