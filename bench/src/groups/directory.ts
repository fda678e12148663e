import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDirectory } from '../../../apps/directory/src/app.ts'
import { openStore } from '../../../apps/directory/src/store/open.ts'
import { openBare } from '../directory/bare.ts'
import { load } from '../directory/load.ts'
import { lookups } from '../directory/lookups.ts'
import { sizeOf } from '../directory/rows.ts'
import { type Seeded, seed } from '../directory/seed.ts'

export async function run(): Promise<void> {
  const size = sizeOf(process.env)
  const kept = process.env.PLUMBLINE_BENCH_FOLDER
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'plumbline-'))
  mkdirSync(folder, { recursive: true })
  try {
    const sqlite = join(folder, `directory-${size.users}.db`)
    await measure('SQLite', await seed({ kind: 'sqlite', path: sqlite }, size))
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true })
  }

  async function measure(what: string, { location, token }: Seeded): Promise<void> {
    const store = await openStore(location)
    const bare = await openBare(location)
    const directory = createDirectory({ store })
    await lookups({ what, size, store, directory, bare, token })
    await bare.close()
    await store.close()
    await load(what, { location, token }, size)
  }
}
