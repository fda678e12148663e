import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logged } from '../directory/logged.ts'
import { seeded } from '../directory/seeded.ts'
import { amount } from '../short.ts'

const USERS = amount(20_000, 1_000)

/** The provisioning log's cost, on both databases. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  try {
    const on = await seeded(`file:${join(folder, 'on.db')}`, USERS)
    const off = await seeded(`file:${join(folder, 'off.db')}`, USERS)
    await logged('SQLite', { on, off })
  } finally {
    rmSync(folder, { recursive: true })
  }
  const url = process.env.PLUMBLINE_BENCH_POSTGRES_URL
  if (url === undefined) {
    console.log(
      '\nPostgreSQL: set PLUMBLINE_BENCH_POSTGRES_URL to a database, which is then filled.',
    )
    return
  }
  const filled = await seeded(url, USERS)
  await logged('PostgreSQL', { on: filled, off: filled })
}
