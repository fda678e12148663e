import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { personId } from '../../../apps/directory/src/commands/seed/people.ts'
import { DEFAULT_TENANT } from '../../../apps/directory/src/kernel/access/tenant-store.ts'
import { createId } from '../../../apps/directory/src/kernel/ids.ts'
import { compare } from '../compare.ts'
import { user } from '../users.ts'
import { type Bare, openBare, type Value } from './bare.ts'
import { SEED } from './seeded.ts'
import { ask, type Setting } from './setting.ts'

/** Times creating and changing a user against the driver's own statements in one transaction. */
export async function writes(setting: Setting): Promise<void> {
  const bare = await openBare(setting.url, { readOnly: false })
  try {
    await creates(setting, bare)
    await changes(setting, bare)
  } finally {
    await bare.close()
  }
}

async function creates(setting: Setting, bare: Bare): Promise<void> {
  const run = createId(Date.now())
  let number = 0
  const next = () => {
    number += 1
    return { ...user(number), userName: `${MARK}${run}-${number}@example.com` }
  }
  const transaction = transactionsOf(bare)
  const insertUser = bare.prepare(INSERT_USER)
  const insertValue = bare.prepare(INSERT_VALUE)
  await compare(`Create a user with two e-mail addresses, in process, ${setting.what}`, [
    {
      name: 'the server',
      run: async () => typeof (await ask(setting, 'POST', '/Users', next())).id,
    },
    {
      name: BARE,
      run: async () => {
        const now = Date.now()
        const id = createId(now)
        const body = next()
        await transaction(async () => {
          await insertUser(...userRow(id, body, now))
          for (const row of valueRows(id, body)) await insertValue(...row)
        })
        return typeof id
      },
    },
  ])
  await bare.prepare(`delete from users where tenant_id = $1 and user_name_key like '${MARK}%'`)(
    DEFAULT_TENANT,
  )
}

async function changes(setting: Setting, bare: Bare): Promise<void> {
  const transaction = transactionsOf(bare)
  const find = bare.prepare('select * from users where tenant_id = $1 and id = $2')
  const findGroups = bare.prepare(
    'select group_id from group_members where tenant_id = $1 and member_id = $2',
  )
  const write = bare.prepare(UPDATE_USER)
  // A PATCH repeating an earlier run's title would not change anything.
  const run = createId(Date.now())
  let turn = 0
  const next = () => {
    turn += 1
    return {
      id: personId((turn * STRIDE) % setting.users, SEED),
      title: `Engineer ${run}-${turn}`,
    }
  }
  await compare(`PATCH the title of a user, in process, ${setting.what}`, [
    {
      name: 'the server',
      run: async () => {
        const { id, title } = next()
        const changed = await ask(setting, 'PATCH', `/Users/${id}`, {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'title', value: title }],
        })
        return changed.title === title
      },
    },
    {
      name: BARE,
      run: async () => {
        const { id, title } = next()
        return await transaction(async () => {
          const [row] = (await find(DEFAULT_TENANT, id)) as { readonly resource: string }[]
          await findGroups(DEFAULT_TENANT, id)
          const changed = { ...JSON.parse(row?.resource ?? '{}'), title }
          const text = JSON.stringify(changed)
          await write(title.toLowerCase(), text, 'W/"1"', Date.now(), DEFAULT_TENANT, id)
          return changed.title === title
        })
      },
    },
  ])
}

/** A user's columns as the server writes them. */
function userRow(id: string, body: ReturnType<typeof user>, now: number): Value[] {
  const { givenName, familyName } = Object(body.name)
  const { employeeNumber, department } = body[ENTERPRISE_USER_SCHEMA]
  return [
    DEFAULT_TENANT,
    id,
    String(body.userName),
    String(body.externalId),
    String(body.displayName).toLowerCase(),
    String(givenName).toLowerCase(),
    String(familyName).toLowerCase(),
    String(body.title).toLowerCase(),
    body.active ? 1 : 0,
    employeeNumber,
    department.toLowerCase(),
    JSON.stringify({ ...body, id }),
    'W/"1"',
    now,
    now,
  ]
}

/** The rows for multi-valued attributes, as the server writes them. */
function valueRows(id: string, { emails, phoneNumbers }: ReturnType<typeof user>): Value[][] {
  const rowsOf = (attribute: string, values: readonly (typeof emails)[number][]) =>
    values.map(({ value, type, primary = false }, position) => [
      DEFAULT_TENANT,
      id,
      `${attribute}#value`,
      position,
      value.toLowerCase(),
      type,
      primary ? 1 : null,
    ])
  return [...rowsOf('emails', emails), ...rowsOf('phonenumbers', phoneNumbers)]
}

/** Runs work in one transaction. */
function transactionsOf(bare: Bare) {
  const begin = bare.prepare('begin')
  const commit = bare.prepare('commit')
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await begin()
    const result = await work()
    await commit()
    return result
  }
}

const BARE = "the driver's statements in one transaction"
/** The name prefix for users created and then deleted. */
const MARK = 'bench-'
/** A prime, so the numbers are spread. */
const STRIDE = 7_919_333
const INSERT_USER = `insert into users (tenant_id, id, user_name_key, external_id, display_name_key,
  given_name_key, family_name_key, title_key, active, employee_number_key, department_key, resource, version,
  created_at, last_modified)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`
const INSERT_VALUE = `insert into user_values (tenant_id, resource_id, attribute, position, value_key, type_key,
  is_primary) values ($1, $2, $3, $4, $5, $6, $7)`
const UPDATE_USER = `update users set title_key = $1, resource = $2, version = $3, last_modified = $4
  where tenant_id = $5 and id = $6`
