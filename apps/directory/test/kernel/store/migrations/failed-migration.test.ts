import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { reasonOf } from '../../../../src/commands/exit.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'

it("a failing migration is named in the command's line, with the reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  const path = join(folder, 'directory.db')
  const database = new DatabaseSync(path)
  database.exec(`create table migrations (id text primary key, name text not null,
    checksum text not null, batch integer not null)`)
  database.exec('create table tenants (id text)')
  database.close()
  const failure = await openSqlite(path).then(
    () => null,
    (error: unknown) => error,
  )
  expect(reasonOf(failure)).toBe(
    'the migration create_directory failed: table tenants already exists',
  )
  rmSync(folder, { recursive: true })
})
