import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDirectory } from '../../../apps/directory/src/app.ts'
import { openStore } from '../../../apps/directory/src/kernel/store/open.ts'
import { openBare } from '../directory/bare.ts'
import { consolePages } from '../directory/console-pages.ts'
import { load } from '../directory/load.ts'
import { lookups } from '../directory/lookups.ts'
import { members } from '../directory/members.ts'
import { pages } from '../directory/pages.ts'
import { searches } from '../directory/searches.ts'
import { type Seeded, seeded, usersOf } from '../directory/seeded.ts'
import { writes } from '../directory/writes.ts'

export async function run(): Promise<void> {
  const users = usersOf(process.env)
  const kept = process.env.PLUMBLINE_BENCH_FOLDER
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'plumbline-'))
  mkdirSync(folder, { recursive: true })
  try {
    const path = join(folder, `directory-${users}.db`)
    await measure('SQLite', await seeded(`file:${path}`, users))
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true })
  }
  const url = process.env.PLUMBLINE_BENCH_POSTGRES_URL
  if (url === undefined) {
    console.log(
      '\nPostgreSQL: set PLUMBLINE_BENCH_POSTGRES_URL to a database, which is then filled.',
    )
    return
  }
  await measure('PostgreSQL', await seeded(url, users))
}

async function measure(what: string, filled: Seeded): Promise<void> {
  const store = await openStore(filled.url)
  const bare = await openBare(filled.url)
  const directory = createDirectory({ store })
  const setting = { what, store, bare, directory, ...filled }
  await lookups(setting)
  await members(setting)
  await pages(setting)
  await searches(setting)
  await consolePages(setting)
  await writes(setting)
  await bare.close()
  await store.close()
  await load(what, filled)
}
