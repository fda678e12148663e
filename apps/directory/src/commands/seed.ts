/** Fills a database with sample users and groups: `npm run seed -- --users 1000 --groups 10`. */
import { parseArgs } from 'node:util'
import { isFailure } from '@plumbline/result'
import { expressible } from '../clock.ts'
import { readConfig } from '../config/config.ts'
import { prepare } from '../seed/bootstrap.ts'
import { fill, type Progress } from '../seed/fill.ts'
import { openStore } from '../store/open.ts'
import { DEFAULT_TENANT, findTenant } from '../store/tokens.ts'
import { LAYOUT } from '../tenants/tables.ts'
import { attempt, reasonOf, stop } from './exit.ts'

const HELP = `
npm run seed -- --users 1000 --groups 10

Fills the database of DATABASE_URL with sample users and groups. The same options always create
the same users, with the same ids. Users and groups that already exist are not changed.

--users <number>    the number of users, 1000 by default
--groups <number>   the number of groups, 10 by default; a tenth of all users are in the first
--seed <number>     the seed of the random choices, 1 by default
--tenant <id>       the tenant of the users and groups, ${DEFAULT_TENANT} by default
`

async function main(): Promise<void> {
  const { values } = read()
  if (values.help) {
    console.log(HELP)
    return
  }
  const config = readConfig(process.env)
  if (isFailure(config)) reject(config.error.message)
  const users = numberOf('users', values.users)
  const groups = numberOf('groups', values.groups)
  if (users === 0 && groups > 0) reject('groups need users')
  const seed = numberOf('seed', values.seed)
  const tenantId = values.tenant
  const { database } = config.data
  const work = async (): Promise<void> => {
    const store = await openStore(database, LAYOUT)
    // The first token is created here, so that the first `npm start` does not show one.
    const token = await prepare(store, config.data, expressible(Date.now()))
    if (token !== null)
      console.log(`Token ${token} (shown only once: the directory stores its hash)`)
    const isThere = await store.read((db) => findTenant(db, tenantId))
    if (!isThere) reject(`tenant ${tenantId} not found`)
    await fill(store, { tenantId, users, groups, seed }, bar())
    await store.close()
  }
  await attempt({ database }, work, 'be filled')
  console.log(`The tenant has the ${users} users and ${groups} groups of seed ${seed}.`)
}

function read() {
  try {
    return parseArgs({
      options: {
        users: { type: 'string', default: '1000' },
        groups: { type: 'string', default: '10' },
        seed: { type: 'string', default: '1' },
        tenant: { type: 'string', default: DEFAULT_TENANT },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    return reject(`${reasonOf(error)}; npm run seed -- --help lists the options`)
  }
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) reject(`--${name} must be a number, not ${text}`)
  return Number(text)
}

/** Draws a progress bar: on a terminal in one line, else a line for each tenth. */
function bar(): Progress {
  const { isTTY } = process.stderr
  const unit = isTTY ? 1 : 10
  let drawn = -1
  return (done, of) => {
    const percent = Math.floor((done * 100) / of / unit) * unit
    if (percent === drawn) return
    drawn = percent
    const filled = '#'.repeat(percent / 2.5).padEnd(40, '.')
    const end = isTTY && percent < 100 ? '' : '\n'
    process.stderr.write(`${isTTY ? '\r' : ''}[${filled}] ${percent} %${end}`)
  }
}

function reject(why: string): never {
  return stop(why, 'be filled')
}

await main()
