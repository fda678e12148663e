import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { EARLIER_SECRET, migrationContract } from '../../../contract/migrations.ts'

describe('a migration on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'directory.db')
  migrationContract(
    () => openSqlite(path),
    async (work) => {
      const database = new DatabaseSync(path)
      await work(async (statement) => database.exec(statement))
      database.close()
    },
  )

  it('an earlier recording leaves no byte in the files', () => {
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
    expect(files.some((file) => file.includes('phoneNumbers'))).toBe(true)
    expect(files.some((file) => file.includes(EARLIER_SECRET))).toBe(false)
  })
})
