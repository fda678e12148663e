import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe } from 'vitest'
import { fill } from '../../../src/commands/seed/fill.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { planContract } from '../../contract/plans.ts'
import { connect, PATIENT } from '../../support/harness.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

describe('on SQLite, among 10,000 users', () => {
  planContract(useSqliteStore().storeOf)
})

describe('on SQLite, among 10,000 users, in a file that was analyzed when it had one small tenant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  const path = join(folder, 'directory.db')
  let store: Store
  beforeAll(async () => {
    const first = await openSqlite(path, PATIENT)
    const { tenantId } = await connect(first)
    await fill(first, { tenantId, users: 500, groups: 10, seed: 2 })
    await first.write((db) => db.exec(sql`analyze`))
    await first.close()
    store = await openSqlite(path, PATIENT)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  planContract(() => store)
})
