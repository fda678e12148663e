import { unwrap } from '@plumbline/result'
import { parseListQuery, type Scim } from '@plumbline/scim'
import type { Directory } from '../../../apps/directory/src/app.ts'
import { listGroups } from '../../../apps/directory/src/store/groups.ts'
import type { Scope } from '../../../apps/directory/src/store/scope.ts'
import type { Store } from '../../../apps/directory/src/store/store.ts'
import { listUsers } from '../../../apps/directory/src/store/users.ts'
import { compare } from '../compare.ts'
import type { Bare } from './bare.ts'
import { type Size, TENANT } from './rows.ts'

/** What the tables of a database are measured on. */
export interface Setting {
  readonly what: string
  readonly size: Size
  readonly store: Store
  readonly directory: Directory
  readonly bare: Bare
  readonly token: string
}

/** A filter that an identity provider matches by, and the statement that finds the same rows. */
interface Lookup {
  readonly path: 'Users' | 'Groups'
  readonly name: string
  readonly list: (scope: Scope, query: Scim.ListQuery) => Promise<Listed>
  readonly filter: (number: number) => string
  readonly statement: string
  readonly value: (number: number) => string
}

type Listed = Pick<Scim.Page<unknown>, 'resources'>

const LOOKUPS: readonly Lookup[] = [
  {
    path: 'Users',
    name: 'userName eq',
    list: listUsers,
    filter: (number) => `userName eq "User${number}@example.com"`,
    statement: 'select * from users where tenant_id = $1 and user_name_key = $2',
    value: (number) => `user${number}@example.com`,
  },
  {
    path: 'Users',
    name: 'externalId eq',
    list: listUsers,
    filter: (number) => `externalId eq "ext-${number}"`,
    statement: 'select * from users where tenant_id = $1 and external_id = $2',
    value: (number) => `ext-${number}`,
  },
  {
    path: 'Users',
    name: 'emails[type eq "work"].value eq',
    list: listUsers,
    filter: (number) => `emails[type eq "work"].value eq "User${number}@example.com"`,
    statement: `select users.* from user_emails
      join users on users.tenant_id = user_emails.tenant_id and users.id = user_emails.user_id
      where user_emails.tenant_id = $1 and user_emails.value_key = $2`,
    value: (number) => `user${number}@example.com`,
  },
  {
    path: 'Groups',
    name: 'displayName eq',
    list: listGroups,
    filter: (number) => `displayName eq "Group ${number}"`,
    statement: 'select * from groups where tenant_id = $1 and display_name_key = $2',
    value: (number) => `group ${number}`,
  },
]

/** Times what identity providers match by, beside the driver's own statement. */
export async function lookups(setting: Setting): Promise<void> {
  for (const lookup of LOOKUPS) await measure(lookup, setting)
}

async function measure(
  { path, name, list, filter, statement, value }: Lookup,
  { what, size, store, directory, bare, token }: Setting,
): Promise<void> {
  const most = path === 'Users' ? size.users : size.groups
  // Groups are matched without their members, as providers do.
  const end = path === 'Users' ? '' : '&excludedAttributes=members'
  const asked = Array.from({ length: 1_000 }, (_, at) => {
    const number = 1 + ((at * 7_919_333) % (most - 1))
    const search = `?filter=${encodeURIComponent(filter(number))}${end}`
    const url = new URL(`http://localhost/scim/v2/${path}${search}`)
    return { url, query: unwrap(parseListQuery(url)), value: value(number) }
  })
  let turn = 0
  const next = () => asked[turn++ % asked.length] ?? raise('nothing is asked')
  const scope = { tenantId: TENANT, base: 'http://localhost/scim/v2', now: 0, tolerate: [] }
  const find = bare.prepare(statement)
  const headers = { Authorization: `Bearer ${token}` }
  const works = {
    'the store': async () => {
      const { query } = next()
      const { resources } = await store.read((db) => list({ ...scope, db }, query))
      return resources.length
    },
    'the bare statement': async () => Object(await find(TENANT, next().value)).length,
    'the server, in process': async () => {
      const response = await directory.fetch(new Request(next().url, { headers }))
      return Object(await response.json()).totalResults
    },
  }
  for (const [who, run] of Object.entries(works)) {
    for (let warm = 0; warm < WARM_UP; warm += 1) {
      if ((await run()) !== 1) raise(`${who} does not find one resource with ${name}`)
    }
  }
  await compare(
    `\`${name}\` among ${most} ${path.toLowerCase()}, ${what}`,
    Object.entries(works).map(([name, run]) => ({ name, run })),
    { budgets: [{ against: 'the bare statement', atMost: 3 }] },
  )
}

const WARM_UP = 1_000

function raise(message: string): never {
  throw new Error(message)
}
