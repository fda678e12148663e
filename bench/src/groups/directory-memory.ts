import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDirectory } from '../../../apps/directory/src/app.ts'
import { openStore } from '../../../apps/directory/src/store/open.ts'
import { memory } from '../directory/memory.ts'
import { seeded } from '../directory/seeded.ts'

/** Few users: what is measured is the memory of statements, and not of rows. */
const USERS = 1_000

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const filled = await seeded(`file:${join(folder, 'directory.db')}`, USERS)
  const store = await openStore(filled.url)
  try {
    await memory({ what: 'SQLite', directory: createDirectory({ store }), token: filled.token })
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}
