/** Runs the benchmark of memory in this process, which was started with the flags of `npm start`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDirectory } from '../../../apps/directory/src/app.ts'
import { openStore } from '../../../apps/directory/src/store/open.ts'
import { memory } from './memory.ts'
import { seeded } from './seeded.ts'

/** Few users: the memory of statements is measured, and not that of rows. */
const USERS = 1_000

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const filled = await seeded(`file:${join(folder, 'directory.db')}`, USERS)
const store = await openStore(filled.url)
try {
  await memory({ what: 'SQLite', directory: createDirectory({ store }), token: filled.token })
} finally {
  await store.close()
  rmSync(folder, { recursive: true })
}
