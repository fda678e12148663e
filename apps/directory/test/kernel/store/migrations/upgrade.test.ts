import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, onTestFinished } from 'vitest'
import { upgradeContract } from '../../../contract/upgrade.ts'

// `.dump` of a database that version 2026.11.21 has created.
const DUMP = new URL('../../../fixtures/2026.11.21.sqlite.sql', import.meta.url)

describe('a SQLite database from version 2026.11.21', () => {
  const create = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'directory-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'directory.db')
    const database = new DatabaseSync(path)
    database.exec(readFileSync(DUMP, 'utf8'))
    database.close()
    return `file:${path}`
  }
  upgradeContract(create, {
    admin: '01a1fb67-2b88-7094-8260-1785a3fa30d0.57_5yn0BAEFfzQmdiuWnBt2pCJHdMdQJdrAXGrX1zqU',
    client: '01a1fb67-3358-76fd-8d23-80363a0bcbd9.TGUWBC3cjOzxWQ7kk3YRyxZrQabiWbderBYJt-FvGKc',
  })
})
