import { setImmediate as nextTurn } from 'node:timers/promises'
import { unwrap } from '@plumbline/result'
import { createWorkBudget, parseListQuery, type Scim } from '@plumbline/scim'
import { groupOf, personOf } from '../../../apps/directory/src/commands/seed/people.ts'
import { GROUP_STORE } from '../../../apps/directory/src/features/scim/group.ts'
import type { TenantScope } from '../../../apps/directory/src/features/scim/scope.ts'
import { USER_STORE } from '../../../apps/directory/src/features/scim/user.ts'
import { DEFAULT_TENANT } from '../../../apps/directory/src/kernel/access/tenant-store.ts'
import { rulesOf } from '../../../apps/directory/src/kernel/profiles.ts'
import type { Database } from '../../../apps/directory/src/kernel/store/database.ts'
import { compare } from '../compare.ts'
import { GROUPS_OF } from './bare.ts'
import { SEED } from './seeded.ts'
import { ask, type Setting } from './setting.ts'

/** An identity provider's filter, and the statement that finds the same rows. */
interface Lookup {
  readonly type: 'Users' | 'Groups'
  readonly name: string
  readonly list: (
    scope: TenantScope,
    query: Scim.ListQuery,
  ) => Promise<Pick<Scim.Page<unknown>, 'resources'>>
  readonly statement: string
  /** The value to search for, from the resource with this number. */
  readonly wanted: (number: number) => string
}

const LOOKUPS: readonly Lookup[] = [
  {
    type: 'Users',
    name: 'userName eq',
    list: USER_STORE.list,
    statement: 'select * from users where tenant_id = $1 and user_name_key = $2',
    wanted: (number) => personOf(number, SEED).resource.userName,
  },
  {
    type: 'Users',
    name: 'externalId eq',
    list: USER_STORE.list,
    statement: 'select * from users where tenant_id = $1 and external_id = $2',
    wanted: (number) => personOf(number, SEED).resource.externalId ?? '',
  },
  {
    type: 'Users',
    name: 'emails[type eq "work"].value eq',
    list: USER_STORE.list,
    statement: `select users.* from user_values
      join users on users.tenant_id = user_values.tenant_id and users.id = user_values.resource_id
      where user_values.tenant_id = $1 and attribute = 'emails#value' and value_key = $2`,
    wanted: (number) => personOf(number, SEED).resource.userName,
  },
  {
    type: 'Groups',
    name: 'displayName eq',
    list: GROUP_STORE.list,
    statement: 'select * from groups where tenant_id = $1 and display_name_key = $2',
    wanted: (number) => groupOf(number, SEED).resource.displayName,
  },
]

/** Times identity providers' filters against the driver's own statement. */
export async function lookups(setting: Setting): Promise<void> {
  for (const lookup of LOOKUPS) await measure(lookup, setting)
}

async function measure(
  { type, name, list, statement, wanted }: Lookup,
  setting: Setting,
): Promise<void> {
  const { what, store, bare } = setting
  const { dialect } = store
  const most = type === 'Users' ? setting.users : setting.groups
  // Groups are read without their members, as providers do.
  const end = type === 'Users' ? '' : '&excludedAttributes=members'
  const requests = Array.from({ length: 1_000 }, (_, at) => {
    const text = wanted((at * STRIDE) % most)
    const path = `/${type}?filter=${encodeURIComponent(`${name} "${text}"`)}${end}`
    const query = unwrap(parseListQuery(new URL(path, 'http://localhost')))
    return { path, query, key: name.startsWith('externalId') ? text : text.toLowerCase() }
  })
  let turn = 0
  const next = () => requests[turn++ % requests.length] as (typeof requests)[number]
  const base = 'http://localhost/scim/v2'
  const scope = { dialect, tenantId: DEFAULT_TENANT, base, now: 0, rules: rulesOf('standard') }
  const scopeIn = (db: Database): TenantScope => ({ ...scope, db, budget: createWorkBudget() })
  const find = bare.prepare(statement)
  const findGroups = bare.prepare(GROUPS_OF)
  const [begin, commit] = [bare.prepare('begin'), bare.prepare('commit')]
  const lookUp = async () => {
    const [row, ...others] = (await find(DEFAULT_TENANT, next().key)) as { id: string }[]
    // A response contains a user's groups.
    if (row && type === 'Users') await findGroups(DEFAULT_TENANT, row.id)
    return row ? 1 + others.length : 0
  }
  const lookUpInStore = async () => {
    const { query } = next()
    const { resources } = await store.read((db) => list(scopeIn(db), query))
    return resources.length
  }
  await compare(
    `${TOGETHER} look-ups of \`${name}\` among ${most} ${type.toLowerCase()}, ${what}`,
    [
      { name: 'the store, all of them waiting', run: () => atOnce(lookUpInStore) },
      { name: BARE, run: () => oneByOne(lookUp) },
      { name: 'the store, each after the one before', run: () => oneByOne(lookUpInStore) },
      {
        name: 'the driver, each in a transaction and a turn of the event loop of its own',
        run: () =>
          oneByOne(async () => {
            await nextTurn()
            await begin()
            const found = await lookUp()
            await commit()
            return found
          }),
      },
      {
        name: 'the server, in process, all of them waiting',
        run: () =>
          atOnce(async () => Number((await ask(setting, 'GET', next().path)).totalResults)),
      },
    ],
    { budgets: [{ against: BARE, atMost: 2 }] },
  )
}

/** Starts all look-ups together, as requests on many connections do: the store reads them in one transaction. */
async function atOnce(lookUp: () => Promise<number>): Promise<number> {
  const found = await Promise.all(Array.from({ length: TOGETHER }, lookUp))
  return found.reduce((sum, count) => sum + count, 0)
}

async function oneByOne(lookUp: () => Promise<number>): Promise<number> {
  let found = 0
  for (let at = 0; at < TOGETHER; at += 1) found += await lookUp()
  return found
}

/** As many as the connections in the request tables. */
const TOGETHER = 32
const BARE = 'the driver, with statements prepared once'

/** A prime, so the numbers are spread. */
const STRIDE = 7_919_333
