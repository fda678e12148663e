import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, onTestFinished } from 'vitest'
import { openSqlite } from '../../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { fenceContract } from '../../../../contract/fence.ts'
import { withSqliteMigrated } from '../../../../support/sqlite-migrated.ts'

describe('the fence on SQLite', () => {
  fenceContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'directory-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'directory.db')
    // The test and the store are on one thread: waiting for a lock would also stop its holder.
    const open = () => openSqlite(path, { busyTimeout: 0 })
    await (await open()).close()
    return {
      open,
      migrating: (work) => withSqliteMigrated(path, work),
    }
  })
})
