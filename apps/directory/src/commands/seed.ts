/** Fills a database with sample users and groups: `npm run seed -- --users 1000 --groups 10`. */
import { parseArgs } from 'node:util'
import { isFailure } from '@plumbline/result'
import { LAYOUT } from '../features/tenants/tables.ts'
import { DEFAULT_TENANT, findTenant } from '../kernel/access/tenant-store.ts'
import { expressible } from '../kernel/clock.ts'
import { openStore } from '../kernel/store/open.ts'
import { TYPED } from '../kernel/typed-commands.ts'
import { readConfig } from './config.ts'
import { attempt, reasonOf, stop } from './exit.ts'
import { progressBar } from './progress-bar.ts'
import type { Environment } from './secret-files.ts'
import { prepare } from './seed/bootstrap.ts'
import { fill } from './seed/fill.ts'

const HELP = `
${TYPED.seedOption} --users 1000 --groups 10

Fills the database of DATABASE_URL with sample users and groups. The same options always create
the same users, with the same ids. Users and groups that already exist are not changed.

--users <number>    the number of users, 1000 by default
--groups <number>   the number of groups, 10 by default; a tenth of all users are in the first
--seed <number>     the seed of the random choices, 1 by default
--tenant <id>       the tenant of the users and groups, ${DEFAULT_TENANT} by default
`

/** Fills the database, using the options given. */
export async function seed(options: readonly string[], environment: Environment): Promise<void> {
  const { values } = read(options)
  if (values.help) {
    console.log(HELP)
    return
  }
  const config = readConfig(environment)
  if (isFailure(config)) reject(config.error.message)
  const users = numberOf('users', values.users)
  const groups = numberOf('groups', values.groups)
  if (users === 0 && groups > 0) reject('groups need users')
  const choices = numberOf('seed', values.seed)
  const tenantId = values.tenant
  const { database } = config.data
  const work = async (): Promise<void> => {
    const store = await openStore(database, LAYOUT)
    // The first token is created here, so the first `npm start` does not show one.
    const token = await prepare(store, config.data, expressible(Date.now()))
    if (token !== null)
      console.log(`Token ${token} (shown only once: the directory stores its hash)`)
    const tenant = await store.read((db) => findTenant(db, tenantId))
    if (tenant === null) reject(`tenant ${tenantId} not found`)
    await fill(store, { tenantId, users, groups, seed: choices }, progressBar())
    await store.close()
  }
  await attempt({ database }, work, 'be filled')
  console.log(`The tenant has the ${users} users and ${groups} groups of seed ${choices}.`)
}

function read(options: readonly string[]) {
  try {
    return parseArgs({
      args: [...options],
      options: {
        users: { type: 'string', default: '1000' },
        groups: { type: 'string', default: '10' },
        seed: { type: 'string', default: '1' },
        tenant: { type: 'string', default: DEFAULT_TENANT },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    return reject(`${reasonOf(error)}; ${TYPED.seedOption} --help lists the options`)
  }
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) reject(`--${name} must be a number, not ${text}`)
  return Number(text)
}

function reject(why: string): never {
  return stop(why, 'be filled')
}
