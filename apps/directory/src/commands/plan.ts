/** Prints what a recorded run would change in a tenant: `npm run plan -- acme --run recording.json`. */
import { parseArgs } from 'node:util'
import { isFailure } from '@plumbline/result'
import { expressible } from '../clock.ts'
import { type Config, readConfig } from '../config/config.ts'
import { type DryRun, dryRun } from '../dry-runs/dry-run.ts'
import { findRun } from '../dry-runs/find-run.ts'
import { writeDryRun } from '../dry-runs/write-dry-run.ts'
import { createReport } from '../imports/report.ts'
import { engineFor, openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { LAYOUT } from '../tenants/tables.ts'
import { TYPED } from '../typed-commands.ts'
import { type CopyOptions, copyTenant } from './copy-tenant.ts'
import { attempt, reasonOf, stop } from './exit.ts'
import { progressBar } from './progress-bar.ts'
import { temporaryFolder } from './temporary-folder.ts'

const HELP = `
${TYPED.planOption} <tenant> --run <recording>

Prints what a recorded run would create, link, change and deactivate in a tenant of DATABASE_URL, and
changes nothing: the run is replayed on a temporary copy.

--run <recording>   the id of a recording of any tenant, or a file with a run
--json              print JSON

The exit code is 0 if every request is answered as in the recording and no rule holds the changes,
2 otherwise, or if a resource cannot be copied, and 1 if the run cannot be planned.
`

/** Plans a run, using the options given. */
export async function plan(options: readonly string[]): Promise<void> {
  const { values, positionals } = read(options)
  if (values.help) {
    console.log(HELP)
    return
  }
  const [tenantId = '', ...others] = positionals
  if (tenantId === '' || others.length > 0) reject('expected one tenant')
  const recording = values.run ?? ''
  if (recording === '') reject('--run needs a recording')
  const config = readConfig(process.env)
  if (isFailure(config)) return reject(config.error.message)
  const store = await openMigrated(config.data)
  const report = createReport(
    (text) => console.error(`Not copied: ${text}`),
    (line) => `resource ${line}`,
  )
  const result = await planRun({ store, tenantId, report }, recording).catch((error) =>
    reject(reasonOf(error)),
  )
  await store.close()
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : writeDryRun(result))
  const { rejected, leftOut } = report.counts()
  const isCopied = rejected + leftOut === 0
  if (result.different.length > 0 || result.hold !== null || !isCopied) process.exitCode = 2
}

/** Opens the database without migrating it. */
async function openMigrated(config: Config): Promise<Store> {
  const { database } = config
  const pending = await attempt(config, () => engineFor(database).pending(database), AIM)
  if (pending.length > 0) reject(`the database needs migrations; run ${TYPED.option} --migrate`)
  return await attempt(config, () => openStore(database, LAYOUT), AIM)
}

async function planRun(
  tenant: Pick<CopyOptions, 'store' | 'tenantId' | 'report'>,
  recording: string,
): Promise<DryRun> {
  const run = await findRun(tenant.store, recording)
  const folder = await temporaryFolder('directory-plan-')
  const parts = { ...tenant, now: () => expressible(Date.now()) }
  const copy = await copyTenant({ ...parts, folder, progress: progressBar() })
  if (copy === null) return reject(`tenant ${tenant.tenantId} not found`)
  const result = await dryRun({ ...parts, copy, run })
  await copy.close()
  return result
}

function read(options: readonly string[]) {
  try {
    return parseArgs({
      args: [...options],
      allowPositionals: true,
      options: {
        run: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    return reject(`${reasonOf(error)}; ${TYPED.planOption} --help lists the options`)
  }
}

function reject(why: string): never {
  return stop(why, AIM)
}

const AIM = 'plan the run'
