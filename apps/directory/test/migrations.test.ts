import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import { migrationContract } from './contract/migrations.ts'

describe('a migration on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  migrationContract(() => openSqlite(join(folder, 'directory.db')))
})
