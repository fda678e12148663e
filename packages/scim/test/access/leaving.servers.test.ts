import { type Access, projection } from '@plumbline/scim/access'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isConflict, retried, toScimError } from '../../../../examples/scim/retried-transactions.ts'
import { chunk } from '../../src/lib/chunk.ts'
import { patchOf, type Send, sender } from '../endpoint/serve.ts'
import { mariaDbServer, type OpenablePool, postgresServer } from '../sql/openers.ts'
import { type Client, groupOptions, tables, userOptions } from '../sql/teams.ts'

const PEOPLE = 20
/** How many requests a client sends at the same time. */
const TOGETHER = 10

/** A client, and the connection of its transaction. */
interface Connected extends Client {
  readonly run?: Execute<unknown>
}

/** Locks are taken in one order, so writes wait for each other and never fail. */
describe.each([
  ['PostgreSQL', true, postgresServer('leaving')],
  // At repeatable read, InnoDB also locks the gaps between rows, so two inserts of members can be a deadlock in any order.
  ['MariaDB', false, mariaDbServer('leaving')],
  ['MariaDB at read committed', true, mariaDbServer('leaving', { isolation: 'read committed' })],
])('concurrent writes for many people on %s', (_, mayInsert, server) => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    opened = await open(server)
  })
  afterEach(() => opened.close())

  const createAll = async (send: Send) => {
    const create = async (path: string, body: object): Promise<string> =>
      (await send('POST', path, body)).body.id
    const people: string[] = []
    for (let at = 0; at < PEOPLE; at += 1) {
      people.push(await create('/Users', { userName: `${at}@example.com` }))
    }
    const groups: string[] = []
    for (const displayName of ['finance', 'sales', 'staff']) {
      const members = people.map((value) => ({ value }))
      groups.push(await create('/Groups', { displayName, members }))
    }
    return { people, groups }
  }
  const statusesOf = async (requests: readonly (() => Promise<{ status: number }>)[]) => {
    const statuses: number[] = []
    for (const some of chunk(requests, TOGETHER)) {
      const answers = await Promise.all(some.map((request) => request()))
      statuses.push(...answers.map(({ status }) => status))
    }
    return new Set(statuses)
  }

  it('people leave a group and are deleted without a deadlock', async () => {
    const { send, stored, deadlocks } = opened
    const { people, groups } = await createAll(send)
    const [first] = groups
    const requests = people.flatMap((id) => [
      () => {
        const remove = { op: 'remove', path: `members[value eq "${id}"]` }
        return send('PATCH', `/Groups/${first}`, patchOf(remove))
      },
      () => send('DELETE', `/Users/${id}`),
    ])
    const statuses = await statusesOf(requests)
    expect(deadlocks).toEqual([])
    // A removal after the deletion of the person does not find a member.
    expect([...statuses].filter((status) => status !== 204 && status !== 400)).toEqual([])
    expect(stored.size).toBe(0)
    for (const group of groups) {
      expect((await send('GET', `/Groups/${group}`)).body).not.toHaveProperty('members')
    }
  })

  if (!mayInsert) return

  it('people join groups, are deactivated and leave without a deadlock', async () => {
    const { send, deadlocks } = opened
    const { people, groups } = await createAll(send)
    /** Deletes a group, and creates it again with some members. */
    const recreate = async (all: string[], at: number, members: readonly object[]) => {
      const id = all[at]
      const answer = await send('DELETE', `/Groups/${id}`)
      all[at] = (await send('POST', '/Groups', { displayName: `${id}`, members })).body.id ?? id
      return answer
    }
    const requests = people.flatMap((id, at) => {
      const others = [id, people[(at + 7) % PEOPLE], people[(at + 3) % PEOPLE]]
      const value = others.map((value) => ({ value }))
      const change = (group: number, operation: object) => () =>
        send('PATCH', `/Groups/${groups[group]}`, patchOf(operation))
      return [
        change(at % 3, { op: 'remove', path: 'members', value }),
        change((at + 1) % 3, { op: 'add', path: 'members', value }),
        change((at + 2) % 3, { op: 'remove', path: `members[value eq "${id}"]` }),
        change(at % 3, { op: 'add', path: 'members', value }),
        () =>
          send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false })),
        ...(at % 5 === 0 ? [() => recreate(groups, at % 3, value)] : []),
        ...(at % 4 === 0 ? [() => send('DELETE', `/Users/${id}`)] : []),
      ]
    })
    const statuses = await statusesOf(requests)
    expect(deadlocks).toEqual([])
    // A person who is deleted is not found, and cannot become a member.
    const expected = new Set([200, 204, 400, 404])
    expect([...statuses].filter((status) => !expected.has(status))).toEqual([])
  })
})

/** Serves users and groups whose roles are stored, and counts the deadlocks. */
async function open({ dialect, openPool }: OpenablePool) {
  const { execute, transact, close } = await openPool(TOGETHER)
  for (const statement of tables(dialect)) await execute(statement, [])
  // Otherwise a group has the id of a user, so the members of the group are taken for affected as well.
  const keys =
    dialect === 'mysql' ? 'table teams auto_increment =' : 'sequence teams_id_seq restart'
  await execute(`alter ${keys} 1001`, [])
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
      for (const { user, isDeleted, ...rest } of changes) {
        if (isDeleted) stored.delete(user)
        else stored.set(user, rest)
      }
    },
  })
  const deadlocks: unknown[] = []
  const counted = async (...call: Parameters<Execute<Connected>>) => {
    try {
      return await (call[2].run ?? execute)(...call)
    } catch (error) {
      if (isConflict(error)) deadlocks.push([error, call[0]])
      throw error
    }
  }
  const users = sqlStore<Connected>(userOptions(counted, dialect))
  const groups = sqlStore<Connected>(groupOptions(counted, dialect))
  const { fetch } = createScimEndpoint<Connected>({
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
  return { stored, deadlocks, close, send: sender(fetch) }
}
