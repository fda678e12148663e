import { expect, it } from 'vitest'
import type { ResourceStore } from '../../src/lib/endpoint/options/store.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import {
  type Client,
  GROUP_DEFINITIONS,
  patchOf,
  type ServeOptions,
  serve,
  USER_DEFINITIONS,
} from './serve.ts'

/** Serves users and groups, and logs the rows that writes lock. */
async function open(options: ServeOptions = {}) {
  const groups = memoryStore({ definitions: GROUP_DEFINITIONS })
  const users = memoryStore({ definitions: USER_DEFINITIONS, groups })
  const locked: string[] = []
  /** Runs after a user is locked. */
  let meanwhile = async (): Promise<void> => undefined
  const logging = (name: string, store: ResourceStore<Client>): ResourceStore<Client> => ({
    ...store,
    lock: async (ids) => void locked.push(...ids.map((id) => `${name} ${id}`)),
    read: async (id, context, request) => {
      if (request.isForUpdate) locked.push(`${name} ${id}`)
      if (request.isForDelete) await meanwhile()
      return await store.read(id, context, request)
    },
  })
  const { send } = serve({
    users: logging('User', users),
    groups: logging('Group', groups),
    ...options,
  })
  const create = async (path: string, body: object): Promise<string> =>
    (await send('POST', path, body)).body.id
  const ada = await create('/Users', { userName: 'ada' })
  const teams: string[] = []
  for (const displayName of ['a', 'b', 'c']) teams.push(await create('/Groups', { displayName }))
  const join = (group = '') => {
    const add = { op: 'add', path: 'members', value: [{ value: ada }] }
    return send('PATCH', `/Groups/${group}`, patchOf(add))
  }
  return {
    send,
    locked,
    ada,
    join,
    teams: teams.sort(),
    users,
    groups,
    during: (work: () => Promise<void>) => {
      meanwhile = work
    },
  }
}

const LISTENING: ServeOptions = {
  transaction: (context, work) => work(context),
  onChange: () => undefined,
}

it.each([
  ['with onChange', LISTENING],
  ['without onChange', {}],
])("a deletion locks the user's groups in order, and then the user, %s", async (_, options) => {
  const { send, locked, ada, join, teams } = await open(options)
  const [first, second, third] = teams
  for (const group of [third, first, second]) await join(group)
  locked.length = 0
  expect((await send('DELETE', `/Users/${ada}`)).status).toBe(204)
  expect(locked).toEqual([`Group ${first}`, `Group ${second}`, `Group ${third}`, `User ${ada}`])
})

it("a deletion restarts with the group's lock if the user joins a group meanwhile", async () => {
  const left: string[] = []
  const { send, locked, ada, join, teams, during } = await open({
    ...LISTENING,
    onChange: (changes) => {
      for (const change of changes) {
        if ('removed' in change && change.removed.length > 0) left.push(change.id)
      }
    },
  })
  const [first, second] = teams
  await join(second)
  during(async () => {
    during(async () => undefined)
    await join(first)
  })
  locked.length = 0
  expect((await send('DELETE', `/Users/${ada}`)).status).toBe(204)
  expect(locked).toEqual([
    `Group ${second}`,
    `User ${ada}`,
    // The write that adds the user to another group.
    `Group ${first}`,
    `Group ${first}`,
    `Group ${second}`,
    `User ${ada}`,
  ])
  expect(left.sort()).toEqual([first, second])
})

it('a deletion is a 503 if the user joins another group each time', async () => {
  const { send, ada, during, groups } = await open(LISTENING)
  during(async () => {
    const content = { displayName: 'x', members: [{ value: ada }] }
    await groups.create(content, {}, Object(undefined))
  })
  const { status, headers } = await send('DELETE', `/Users/${ada}`)
  expect(status).toBe(503)
  expect(headers.get('Retry-After')).toBe('5')
  expect((await send('GET', `/Users/${ada}`)).status).toBe(200)
})

it("a deletion locks a group's parent groups before the group", async () => {
  const { send, locked, teams } = await open(LISTENING)
  const [parent, child] = teams
  const add = { op: 'add', path: 'members', value: [{ value: child }] }
  await send('PATCH', `/Groups/${parent}`, patchOf(add))
  locked.length = 0
  expect((await send('DELETE', `/Groups/${child}`)).status).toBe(204)
  expect(locked).toEqual([`Group ${parent}`, `Group ${child}`])
})
