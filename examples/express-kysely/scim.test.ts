import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after } from 'node:test'
import { examine } from '@plumbline/doctor'
import { storeContract } from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { sql } from 'kysely'
import { addOrganization, openDatabase } from './schema.ts'
import { resourceTypes, transaction } from './scim.ts'
import { createApp } from './server.ts'

const [token, otherToken] = ['token-of-acme', 'token-of-globex']
const db = await openDatabase()
after(() => db.destroy())

const makeStores = async () => {
  await sql`truncate organizations, people, teams, team_members, accounts, sessions, role_groups, roles
    restart identity`.execute(db)
  const [org, other] = [
    await addOrganization(db, 'Acme', token),
    await addOrganization(db, 'Globex', otherToken),
  ]
  return { resourceTypes, transaction, context: { db, org }, otherContext: { db, org: other } }
}
for (const { name, run } of storeContract(makeStores)) {
  test(name, async (context) => {
    const { skipped } = await run()
    if (skipped !== null) context.skip(skipped)
  })
}

/** Serves empty tables; `await using` closes the server. */
async function serve() {
  const { context } = await makeStores()
  const role = { org_id: context.org, group_name: 'Finance', role: 'billing' }
  await db.insertInto('role_groups').values(role).execute()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const app = createApp(context.db, `${origin}/scim/v2`)
  const server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { origin, [Symbol.asyncDispose]: async () => void server.close() }
}

/** A free port, whose URL the server needs before it starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }

test('the server serves users over HTTP', async () => {
  await using server = await serve()
  const url = `${server.origin}/scim/v2/Users`
  const body = JSON.stringify({ userName: 'ada', active: 'True' })
  const created = await fetch(url, { method: 'POST', headers, body })
  assert.equal(created.status, 201)
  const list = await fetch(`${url}?filter=${encodeURIComponent('userName eq "ADA"')}`, { headers })
  const { totalResults } = (await list.json()) as { totalResults: number }
  assert.equal(totalResults, 1)
  assert.equal((await fetch(url)).status, 401)
})

/** A client of the application and of its endpoint, with the verified account of Ada, who has a session. */
async function openAccounts({ origin }: { readonly origin: string }) {
  const account = { org_id: 1, email: 'ada@example.com', is_verified: true, user_id: null }
  const { id } = await db
    .insertInto('accounts')
    .values(account)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('sessions').values({ token: 'ada', account_id: id }).execute()
  const send = async (method: string, path: string, body: object, sent = token) => {
    const own = { ...headers, Authorization: `Bearer ${sent}` }
    const init = { method, headers: own, body: JSON.stringify(body) }
    const response = await fetch(`${origin}/scim/v2${path}`, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  const patch = (path: string, operation: object) => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
    return send('PATCH', path, { schemas, Operations: [operation] })
  }
  const readAccount = async () => {
    const response = await fetch(`${origin}/account`, { headers: { Authorization: 'Bearer ada' } })
    return response.ok ? await response.json() : response.status
  }
  return { send, patch, readAccount }
}

test('a session ends within a second after its user is deactivated over HTTP', async () => {
  await using server = await serve()
  const { send, patch, readAccount } = await openAccounts(server)
  const { body: user } = await send('POST', '/Users', { userName: 'Ada@example.com' })
  assert.deepEqual(await readAccount(), { email: 'ada@example.com', roles: [] })
  const setActive = (value: boolean) =>
    patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value })
  const start = performance.now()
  await setActive(false)
  assert.equal(await readAccount(), 401)
  assert.ok(performance.now() - start < 1000)
  await setActive(true)
  assert.equal(await readAccount(), 401, 'the session stays ended')
})

test('the roles of a session follow the groups of its user', async () => {
  await using server = await serve()
  const { send, patch, readAccount } = await openAccounts(server)
  const { body: user } = await send('POST', '/Users', { userName: 'ada@example.com' })
  const { body: group } = await send('POST', '/Groups', { displayName: 'Finance' })
  const member = { op: 'add', path: 'members', value: [{ value: user.id }] }
  const rename = { op: 'replace', path: 'displayName', value: 'Sales' }
  const email = 'ada@example.com'
  await patch(`/Groups/${group.id}`, member)
  assert.deepEqual(await readAccount(), { email, roles: ['billing'] })
  await patch(`/Groups/${group.id}`, rename)
  assert.deepEqual(await readAccount(), { email, roles: [] })
})

test('provisioning an address takes over neither an unverified account nor one of another user', async () => {
  await using server = await serve()
  const { send, patch, readAccount } = await openAccounts(server)
  const conflict = (answer: { readonly status: number; readonly body: { scimType: string } }) =>
    assert.deepEqual([answer.status, answer.body.scimType], [409, 'uniqueness'])
  await db.updateTable('accounts').set({ is_verified: false }).execute()
  conflict(await send('POST', '/Users', { userName: 'ada@example.com' }))
  await db.updateTable('accounts').set({ is_verified: true }).execute()
  const { body: ada } = await send('POST', '/Users', { userName: 'ada@example.com' })
  await patch(`/Users/${ada.id}`, { op: 'replace', path: 'userName', value: 'a@example.com' })
  conflict(await send('POST', '/Users', { userName: 'ADA@example.com' }))
  const { rows } = await sql<{ user_id: string }>`select user_id from accounts`.execute(db)
  assert.deepEqual(rows, [{ user_id: ada.id }])
  assert.deepEqual(await readAccount(), { email: 'ada@example.com', roles: [] })
})

test('another organization reaches neither the account nor its sessions and roles', async () => {
  await using server = await serve()
  const { send, readAccount } = await openAccounts(server)
  const { body: ada } = await send('POST', '/Users', { userName: 'ada@example.com' })
  const { body: mallory } = await send(
    'POST',
    '/Users',
    { userName: 'ada@example.com' },
    otherToken,
  )
  const members = [{ value: mallory.id }]
  await send('POST', '/Groups', { displayName: 'Finance', members }, otherToken)
  const body = { userName: 'ada@example.com', active: false }
  assert.equal((await send('PUT', `/Users/${mallory.id}`, body, otherToken)).status, 200)
  assert.equal((await send('PUT', `/Users/${ada.id}`, body, otherToken)).status, 404)
  assert.deepEqual(await readAccount(), { email: 'ada@example.com', roles: [] })
  const { rows } =
    await sql<object>`select org_id, user_id, is_active from accounts order by id`.execute(db)
  assert.deepEqual(rows, [
    { org_id: 1, user_id: ada.id, is_active: true },
    { org_id: 2, user_id: mallory.id, is_active: false },
  ])
})

test('a new address of a user changes neither its account nor its sessions', async () => {
  await using server = await serve()
  const { send, patch, readAccount } = await openAccounts(server)
  const { body: ada } = await send('POST', '/Users', { userName: 'ada@example.com' })
  const path = `/Users/${ada.id}`
  await patch(path, { op: 'replace', path: 'userName', value: 'eve@example.com' })
  await patch(path, {
    op: 'replace',
    path: 'emails[type eq "work"].value',
    value: 'eve@example.com',
  })
  assert.deepEqual(await readAccount(), { email: 'ada@example.com', roles: [] })
})

test('the server passes the doctor', async () => {
  await using server = await serve()
  const options = { token, profiles: ['entra'], limits: { rate: 10_000 } } as const
  const examination = await examine(`${server.origin}/scim/v2`, options)
  const { outcomes, left } = unwrap(examination)
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const findings = failed.filter(({ level }) => level !== 'MAY')
  assert.deepEqual(
    findings.map(({ id, finding }) => ({ id, ...finding })),
    [],
  )
  assert.deepEqual(left, [])
})
