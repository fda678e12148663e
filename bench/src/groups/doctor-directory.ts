import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECKS, examine } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'
import { createDirectory } from '../../../apps/directory/src/app.ts'
import { openStore } from '../../../apps/directory/src/kernel/store/open.ts'
import { listen } from '../../../apps/directory/src/server.ts'
import { printBudget } from '../budget.ts'
import { seeded } from '../directory/seeded.ts'
import { amount, isShort } from '../short.ts'

const USERS = amount(10_000, 1_000)

/** A short run has few checks. */
const FEW = isShort ? { checks: CHECKS.filter(({ id }) => id.startsWith('discovery.')) } : {}

/** Examines the directory with 10,000 users over HTTP, with every check, at the default request rate. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const { url, token, users } = await seeded(`file:${join(folder, 'directory.db')}`, USERS)
  const store = await openStore(url)
  const server = await listen(createDirectory({ store }), { host: '127.0.0.1', port: 0 })
  try {
    const started = performance.now()
    const profiles = ['entra', 'okta'] as const
    const report = unwrap(await examine(`${server.origin}/scim/v2`, { token, profiles, ...FEW }))
    const seconds = (performance.now() - started) / 1_000
    const requests = report.outcomes.reduce((sum, { exchanges }) => sum + exchanges.length, 0)
    const skipped = report.outcomes.filter(({ status }) => status === 'skipped').length
    const checks = report.outcomes.length - skipped
    console.log(
      `\n${users} users: ${checks} checks with ${requests} requests in ${seconds.toFixed(0)} s`,
    )
    printBudget({ of: 'All checks', against: 'two minutes', atMost: 1 }, [seconds / 120])
  } finally {
    await server.stop()
    await store.close()
    rmSync(folder, { recursive: true })
  }
}
