import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'
import { watchStatements } from '../../support/watch-statements.ts'

/** The tables from which rows were read since this was emptied. */
const loaded: string[] = []

let store: Store
let client: Client
let path: string

beforeAll(async () => {
  store = watchStatements(await openSqlite(':memory:'), ({ text }) => {
    const [, table = ''] = /^select .*? from (\w+)/s.exec(text) ?? []
    // The members that a change names are looked up by their ids.
    loaded.push(/member_id in \(|"member_id" = /.test(text) ? `${table} by id` : table)
  })
  client = await connect(store)
  const { body: user } = await client.send('POST', '/Users', { userName: 'anna' })
  const { body: group } = await client.send('POST', '/Groups', {
    displayName: 'g',
    members: [{ value: user.id }],
  })
  path = `/Groups/${group.id}`
})
afterAll(() => store.close())

describe('the members of a group', () => {
  it.each([
    ['when they are excluded', () => client.send('GET', `${path}?excludedAttributes=members`)],
    ['when other attributes are named', () => client.send('GET', `${path}?attributes=displayName`)],
    [
      'when a list excludes them',
      () =>
        client.send('GET', '/Groups?excludedAttributes=members&filter=displayName%20eq%20%22g%22'),
    ],
    ['when a list counts', () => client.send('GET', '/Groups?count=0')],
    [
      'when a member is added and another is removed',
      async () => {
        const { body } = await client.send('POST', '/Users', { userName: crypto.randomUUID() })
        loaded.length = 0
        const value = [{ value: body.id }]
        return await client.send('PATCH', path, {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [
            { op: 'add', path: 'members', value },
            { op: 'remove', path: 'members', value },
          ],
        })
      },
    ],
  ])('members are not loaded %s', async (_, send) => {
    loaded.length = 0
    expect((await send()).status).toBeLessThan(300)
    expect(loaded).not.toContain('group_members')
  })

  it('members are loaded when a response contains them', async () => {
    loaded.length = 0
    await client.send('GET', path)
    expect(loaded).toContain('group_members')
  })
})
