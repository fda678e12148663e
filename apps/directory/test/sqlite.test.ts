import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawSql } from '@remix-run/data-table'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/store/sqlite.ts'
import { openFile, preparedOnce } from '../src/store/sqlite-file.ts'
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

  it('refuses a file that a newer version has migrated', async () => {
    const path = join(folder, 'newer.db')
    const newer = await openSqlite(path)
    await newer.write((db) =>
      db.exec(
        rawSql(`insert into migrations (id, name, checksum, batch)
          values ('29991231000000', 'from_the_future', 'x', 2)`),
      ),
    )
    await newer.close()
    await expect(openSqlite(path)).rejects.toThrow('newer version of the directory')
  })

  it('keeps statements that are prepared, but none that is very long', () => {
    const database = openFile(':memory:', { busyTimeout: 0, cache: 1_024 })
    const prepare = preparedOnce(database, (statement) => statement)
    const short = 'select 1 as one'
    const long = `select 1 where 1 in (${Array(5_000).fill('?').join(', ')})`
    expect(prepare(short)).toBe(prepare(short))
    expect(prepare(long)).not.toBe(prepare(long))
    database.close()
  })
})
