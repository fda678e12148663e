/** Fills a database with plausible people and groups: `npm run seed -- --users 1000 --groups 10`. */
import { parseArgs } from 'node:util'
import { isFailure } from '@plumbline/result'
import { prepare } from './bootstrap.ts'
import { expressible } from './clock.ts'
import { readConfig } from './config.ts'
import { attempt, reasonOf, stop } from './exit.ts'
import { fill, type Progress } from './seed/fill.ts'
import { openStore } from './store/open.ts'
import { DEFAULT_TENANT, findTenant } from './store/tokens.ts'

const HELP = `
npm run seed -- --users 1000 --groups 10

Fills the database that DATABASE_URL names with people and groups to try the directory with. The
same numbers give the same people, with the same ids; who is there already stays as it is.

--users <number>    how many people, 1000 by default
--groups <number>   how many groups, 10 by default; the first has a tenth of the people
--seed <number>     chooses the people, 1 by default
--tenant <id>       the tenant they belong to, ${DEFAULT_TENANT} by default
`

async function main(): Promise<void> {
  const { values } = read()
  if (values.help) {
    console.log(HELP)
    return
  }
  const config = readConfig(process.env)
  if (isFailure(config)) refuse(config.error.message)
  const users = numberOf('users', values.users)
  const groups = numberOf('groups', values.groups)
  if (users === 0 && groups > 0) refuse('groups need users')
  const seed = numberOf('seed', values.seed)
  const tenantId = values.tenant
  const { database } = config.data
  const work = async (): Promise<void> => {
    const store = await openStore(database)
    // The first token is made here as well, so that the first `npm start` to come shows none.
    const token = await prepare(store, config.data, expressible(Date.now()))
    if (token !== null) console.log(`Token ${token} (shown this once: only its hash is kept)`)
    const isThere = await store.read((db) => findTenant(db, tenantId))
    if (!isThere) refuse(`there is no tenant ${tenantId}`)
    await fill(store, { tenantId, users, groups, seed }, bar())
    await store.close()
  }
  await attempt({ database }, work, 'be filled')
  console.log(`${users} users and ${groups} groups are there, of seed ${seed}.`)
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
    return refuse(`${reasonOf(error)}; npm run seed -- --help lists the options`)
  }
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) refuse(`--${name} must be a number, not ${text}`)
  return Number(text)
}

/** Draws how far it is: over the same line on a terminal, else a line for each tenth. */
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

function refuse(why: string): never {
  return stop(why, 'be filled')
}

await main()
