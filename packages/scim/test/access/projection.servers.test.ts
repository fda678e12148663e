import { type Access, projection } from '@plumbline/scim/access'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { retried, toScimError } from '../../../../examples/scim/retried-transactions.ts'
import { patchOf, sender } from '../endpoint/serve.ts'
import { mariaDbServer, type OpenablePool, postgresServer } from '../sql/openers.ts'
import { type Client, groupOptions, tables, userOptions } from '../sql/teams.ts'

const USERS = 700

/** A client, and the connection of its transaction. */
interface Connected extends Client {
  readonly run?: Execute<unknown>
}

describe.each([
  ['PostgreSQL', postgresServer('access')],
  ['MariaDB', mariaDbServer('access', { isolation: 'read committed' })],
])('on %s', (_, server) => {
  it(`${USERS} users have exactly their groups' roles after concurrent writes while reconcile runs`, async () => {
    const { send, access, endpoint, stored, close } = await open(server)
    const ids = await Promise.all(
      Array.from({ length: USERS }, async (_, at) => {
        const { body } = await send('POST', '/Users', { userName: `${at}@example.com` })
        return body.id
      }),
    )
    const groups = await Promise.all(
      ['finance', 'sales', 'staff'].map(async (displayName) => {
        return (await send('POST', '/Groups', { displayName })).body.id
      }),
    )
    const change = (path: string, operation: object) => send('PATCH', path, patchOf(operation))
    const add = (id: string | undefined, members: readonly string[]) => {
      const value = members.map((value) => ({ value }))
      return change(`/Groups/${id}`, { op: 'add', path: 'members', value })
    }
    const deactivated = ids.filter((_, at) => at % 50 === 0)
    const [answers, { checked }] = await Promise.all([
      Promise.all([
        add(groups[0], ids),
        add(groups[1], ids.toReversed()),
        ...deactivated.map((id) =>
          change(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
        ),
        add(groups[2], ids),
      ]),
      access.reconcile(endpoint, { org: 1 }),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]))
    expect(checked).toBe(USERS)
    const rolesOf = (id: string) =>
      stored
        .get(id)
        ?.grants.map(({ role }) => role)
        .sort()
    const wrong = ids.filter((id) => {
      const expected = deactivated.includes(id) ? [] : ['finance', 'sales', 'staff']
      return JSON.stringify(rolesOf(id)) !== JSON.stringify(expected)
    })
    expect(wrong).toEqual([])
    expect((await access.reconcile(endpoint, { org: 1 })).repaired).toEqual([])
    await close()
  })
})

/** Serves users and groups of a server, whose roles have the names of the groups. */
async function open({ dialect, openPool }: OpenablePool) {
  const { execute, transact, close } = await openPool(8)
  for (const statement of tables(dialect)) await execute(statement, [])
  const stored = new Map<string, Access<string, string>>()
  const access = projection<Connected, string, string>({
    link: {
      attribute: 'userName',
      find: () => null,
      mayManage: () => true,
      create: ({ userName }) => String(userName),
    },
    roles: ({ displayName }) => [String(displayName)],
    read: () => stored,
    stored: () => [],
    apply: (changes) => {
      for (const { user, isDeleted: _, ...rest } of changes) stored.set(user, rest)
    },
  })
  const run: Execute<Connected> = (sql, values, context) =>
    (context?.run ?? execute)(sql, values, context)
  const users = sqlStore(userOptions(run, dialect))
  const groups = sqlStore(groupOptions(run, dialect))
  const endpoint = createScimEndpoint<Connected>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType<Connected>({ name: 'User', endpoint: '/Users', store: users }),
      defineResourceType<Connected>({ name: 'Group', endpoint: '/Groups', store: groups }),
    ],
    transaction: retried((context, work) =>
      transact((run) => work(Object.assign({ run }, context))),
    ),
    toScimError,
    authenticate: async () => ({ org: 1 }),
    onChange: access.onChange,
    onError: (error) => console.error(error),
  })
  return { access, endpoint, stored, close, send: sender(endpoint.fetch) }
}
