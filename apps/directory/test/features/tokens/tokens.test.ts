import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect, problem, sender } from '../../support/harness.ts'
import { withUser } from '../../support/in-scope.ts'

let store: Store
let admin: Client
let time = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  store = await openSqlite(':memory:')
  admin = await connect(store, { role: 'admin', now: () => time })
})
afterAll(() => store.close())

let count = 0

/** Creates a tenant, and returns its id. */
async function newTenant(): Promise<string> {
  count += 1
  const id = `tenant-${count}`
  expect((await admin.send('POST', '/api/tenants', { id, name: id })).status).toBe(201)
  return id
}

async function createToken(body: object): Promise<{ readonly id: string; readonly token: string }> {
  const created = await admin.send('POST', '/api/tokens', body)
  expect(created.status).toBe(201)
  return { id: String(created.body.id), token: String(created.body.token) }
}

describe('tokens with an expiry', () => {
  it('tokens expire at their time, and stay listed until they are revoked', async () => {
    const tenantId = await newTenant()
    const expiresAt = new Date(time + 5_000).toISOString()
    const added = await createToken({ tenantId, name: 'short', expiresAt })
    const client = sender(admin.directory, added.token)
    const list = async () =>
      (await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)).body.tokens
    time += 4_999
    expect((await client('GET', '/Users')).status).toBe(200)
    time += 1
    expect((await client('GET', '/Users')).status).toBe(401)
    expect(await list()).toMatchObject([{ id: added.id, expiresAt }])
    expect((await admin.send('DELETE', `/api/tokens/${added.id}`)).status).toBe(204)
    expect(await list()).toEqual([])
  })

  it.each([
    ['omitted', {}, null],
    ['null', { expiresAt: null }, null],
    [
      'in another time zone',
      { expiresAt: '2100-01-01T02:00:00+02:00' },
      '2100-01-01T00:00:00.000Z',
    ],
    ['in the last year', { expiresAt: '9999-12-31T23:59:59Z' }, '9999-12-31T23:59:59.000Z'],
  ])('tokens are created with an expiry that is %s', async (_, options, expiresAt) => {
    const tenantId = await newTenant()
    const body = { tenantId, name: 'a', ...options }
    const created = await admin.send('POST', '/api/tokens', body)
    expect(created).toMatchObject({ status: 201, body: { expiresAt } })
  })

  it('tokens are rejected unless the expiry is in the future', async () => {
    const tenantId = await newTenant()
    for (const expiresAt of [new Date(time).toISOString(), '1969-12-31T23:59:59Z']) {
      const body = { tenantId, name: 'a', expiresAt }
      const rejected = await admin.send('POST', '/api/tokens', body)
      expect(rejected).toMatchObject(problem(422, 'invalid'))
      expect(rejected.body.issues).toEqual([
        { location: 'body', pointer: '/expiresAt', detail: 'must be in the future' },
      ])
    }
    expect((await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)).body.tokens).toEqual([])
  })
})

describe('tokens', () => {
  it('tokens are rotated: both are accepted until the overlap ends', async () => {
    const tenantId = await newTenant()
    await withUser(store, tenantId, 'u1')
    const options = { profile: 'entra', access: 'read', userId: 'u1' }
    const old = await createToken({ tenantId, name: 'Entra', ...options })
    const path = `/api/tokens/${old.id}/rotate`
    time += 1
    const rotated = await admin.send('POST', path, { overlapSeconds: 60 })
    const replaced = { replaces: old.id, replacedBy: null, expiresAt: null }
    expect(rotated).toMatchObject({
      status: 201,
      body: { tenantId, name: 'Entra', role: 'client', ...options, ...replaced },
    })
    const { token, ...shown } = rotated.body
    const end = new Date(time + 60_000).toISOString()
    const { body } = await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)
    expect(body.tokens).toEqual([
      expect.objectContaining({ id: old.id, replaces: null, replacedBy: shown.id, expiresAt: end }),
      shown,
    ])
    const statuses = async () =>
      await Promise.all(
        [old.token, String(token)].map(
          async (text) => (await sender(admin.directory, text)('GET', '/Users')).status,
        ),
      )
    time += 59_999
    expect(await statuses()).toEqual([200, 200])
    time += 1
    expect(await statuses()).toEqual([401, 200])
  })

  it("tokens are rotated with an overlap of a day and the old one's lifetime by default", async () => {
    const tenantId = await newTenant()
    const month = 30 * 86_400_000
    const expiresAt = new Date(time + month).toISOString()
    const { id } = await createToken({ tenantId, name: 'a', expiresAt })
    time += 1_000
    const rotated = await admin.send('POST', `/api/tokens/${id}/rotate`, {})
    const expected = { expiresAt: new Date(time + month).toISOString() }
    expect(rotated).toMatchObject({ status: 201, body: expected })
    const { body } = await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)
    expect(body.tokens?.[0]?.expiresAt).toBe(new Date(time + 86_400_000).toISOString())
  })

  it('tokens are rejected from the next request on if they are rotated without an overlap', async () => {
    const { id, token } = await createToken({ tenantId: await newTenant(), name: 'a' })
    const client = sender(admin.directory, token)
    expect((await client('GET', '/Users')).status).toBe(200)
    const expiresAt = new Date(time + 1).toISOString()
    const body = { overlapSeconds: 0, expiresAt }
    expect(await admin.send('POST', `/api/tokens/${id}/rotate`, body)).toMatchObject({
      status: 201,
      body: { expiresAt },
    })
    expect((await client('GET', '/Users')).status).toBe(401)
  })

  it('tokens are not rotated twice, or after they have expired or were revoked', async () => {
    const tenantId = await newTenant()
    const rotate = (id: string) => admin.send('POST', `/api/tokens/${id}/rotate`, {})
    const expiresAt = new Date(time + 1_000).toISOString()
    const old = await createToken({ tenantId, name: 'a', expiresAt })
    const { body } = await rotate(old.id)
    const again = await rotate(old.id)
    expect(again).toMatchObject(problem(409, 'not-rotatable'))
    expect(again.body.detail).toContain(String(body.id))
    time += 1_000
    const expired = await rotate(old.id)
    expect(expired).toMatchObject(problem(409, 'not-rotatable'))
    expect(expired.body.detail).toContain('expired')
    await admin.send('DELETE', `/api/tokens/${old.id}`)
    expect(await rotate(old.id)).toMatchObject(problem(404, 'not-found'))
  })

  it.each([
    ['a negative overlap', { overlapSeconds: -1 }, '/overlapSeconds'],
    ['an overlap of more than 30 days', { overlapSeconds: 2_592_001 }, '/overlapSeconds'],
    ['an overlap that is not an integer', { overlapSeconds: 0.5 }, '/overlapSeconds'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    ['an expiry without a time', { expiresAt: '2100-01-01' }, '/expiresAt'],
  ])('tokens are not rotated with %s', async (_, body, pointer) => {
    const { id } = await createToken({ tenantId: await newTenant(), name: 'a' })
    const rejected = await admin.send('POST', `/api/tokens/${id}/rotate`, body)
    expect(rejected).toMatchObject(problem(422, 'invalid'))
    expect(rejected.body.issues).toMatchObject([{ pointer }])
    const long = await admin.send('POST', `/api/tokens/${'a'.repeat(101)}/rotate`, {})
    expect(long).toMatchObject(problem(422, 'invalid'))
  })
})
