/** Runs a memory benchmark, `filters` or `logged`, in this process, which has the flags from `npm start`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDirectory } from '../../../apps/directory/src/app.ts'
import { openStore } from '../../../apps/directory/src/kernel/store/open.ts'
import { memory } from './memory.ts'
import { memoryLogged } from './memory-logged.ts'
import { seeded } from './seeded.ts'

/** Few users: measures the memory that statements use, not rows. */
const USERS = 1_000

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const filled = await seeded(`file:${join(folder, 'directory.db')}`, USERS)
const store = await openStore(filled.url)
// The log's timers do not keep a process alive; a server's socket does.
const alive = setInterval(() => undefined, 60_000)
try {
  if (process.argv[2] === 'logged') await memoryLogged({ what: 'SQLite', store, ...filled })
  else await memory({ what: 'SQLite', directory: createDirectory({ store }), token: filled.token })
} finally {
  clearInterval(alive)
  await store.close()
  rmSync(folder, { recursive: true })
}
