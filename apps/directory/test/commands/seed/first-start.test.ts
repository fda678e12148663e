import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { firstStartContract } from '../../contract/first-start.ts'

describe('the first start on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  firstStartContract(async () => {
    const path = join(folder, crypto.randomUUID(), 'directory.db')
    return () => openSqlite(path)
  })
})
