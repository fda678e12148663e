import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'
import { watchStatements } from '../../support/watch-statements.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The locks taken since it was emptied: each table, the kind of lock, and the number of ids. */
const acquired: string[] = []
let store: Store
let client: Client
let anna: string
let inner: string
let group: string

beforeAll(async () => {
  store = await openWithLocks()
  client = await connect(store, { profile: 'entra' })
  const create = async (path: string, body: object) =>
    String((await client.send('POST', path, body)).body.id)
  anna = await create('/Users', { userName: 'anna' })
  inner = await create('/Groups', { displayName: 'inner' })
  const members = [{ value: anna }, { value: inner }]
  group = await create('/Groups', { displayName: 'group', members })
})
afterAll(() => store.close())
beforeEach(() => {
  acquired.length = 0
})

const patch = (path: string, operation: object) =>
  client.send('PATCH', path, { schemas: [PATCH_OP], Operations: [operation] })

// Two requests cannot both find a name free, and no member is deleted while it is added. Groups are locked before the
// user who leaves them, as in a change of a group.
it.each<readonly [what: string, request: () => Promise<unknown>, locks: readonly string[]]>([
  ['the creation of a user', () => client.send('POST', '/Users', { userName: 'bert' }), []],
  [
    'the replacement of a user',
    () => client.send('PUT', `/Users/${anna}`, { userName: 'anna', title: 'a' }),
    ['users change 1'],
  ],
  [
    'a PATCH of a user',
    () => patch(`/Users/${anna}`, { op: 'add', path: 'title', value: 'b' }),
    ['users change 1'],
  ],
  [
    'the creation of a group with members',
    () =>
      client.send('POST', '/Groups', {
        displayName: 'other',
        members: [{ value: anna }, { value: inner }],
      }),
    ['tenants change 1', 'users reference 2', 'groups reference 1'],
  ],
  [
    'a member that is added and is a user',
    () => patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: anna }] }),
    ['groups change 1', 'users reference 1'],
  ],
  [
    'a group that is renamed',
    () => patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'renamed' }),
    ['groups change 1', 'tenants change 1'],
  ],
  [
    'a group whose name stays the same',
    () => patch(`/Groups/${group}`, { op: 'replace', path: 'externalId', value: 'e' }),
    ['groups change 1'],
  ],
  [
    'the deletion of a group',
    () => client.send('DELETE', `/Groups/${inner}`),
    ['groups change 1', 'groups change 1', 'groups delete 1', 'groups delete 1'],
  ],
  [
    'the deletion of a user',
    () => client.send('DELETE', `/Users/${anna}`),
    ['groups change 1', 'groups change 1', 'users delete 1', 'users delete 1'],
  ],
  ['a list', () => client.send('GET', '/Users'), []],
])('%s locks the rows it depends on', async (_, request, locks) => {
  expect(await request()).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
  expect(acquired).toEqual(locks)
})

/** SQLite has one writer and does not lock rows: comments mark where another database would. */
async function openWithLocks(): Promise<Store> {
  const inner = await openSqlite(':memory:')
  const locks = { delete: '/* delete */', change: '/* change */', reference: '/* reference */' }
  const withLocks = { ...inner, dialect: { ...inner.dialect, locks } }
  return watchStatements(withLocks, ({ text }) => {
    const [, table, where = '', lock] = LOCK.exec(text) ?? []
    const ids = where.split('?').length - (where.includes('tenant_id') ? 2 : 1)
    if (lock !== undefined) acquired.push(`${table} ${lock} ${ids}`)
  })
}

const LOCK = /^select id from (\w+) where (.*) \/\* (\w+) \*\/$/
