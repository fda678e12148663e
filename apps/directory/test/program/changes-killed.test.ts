import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'vitest'
import { expectNothingMissed } from '../contract/changes-killed.ts'
import { startProcesses } from '../support/two-processes.ts'

it('a consumer with a stored cursor misses no change while it and two processes on SQLite are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  const file = join(folder, 'directory.db')
  const processes = await startProcesses(`file:${file}`)
  const run = async (statement: string): Promise<void> => {
    const database = new DatabaseSync(file)
    database.exec(statement)
    database.close()
  }
  try {
    await expectNothingMissed(processes, { writes: 200, every: 100, run })
  } finally {
    await processes.stop()
    rmSync(folder, { recursive: true })
  }
})
