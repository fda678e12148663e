import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { createProvisioningLog } from '../../../src/features/log/provisioning-log.ts'
import { createRecorder } from '../../../src/features/recordings/recorder.ts'
import { PROFILE_NAMES } from '../../../src/kernel/profiles.ts'
import { createClientLimits } from '../../../src/kernel/rate-limit/client-limits.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import type { LogEntry } from '../../../src/shell/observe/request-log.ts'
import { apiDocument } from '../../../src/shell/operations.ts'
import { BADGE_SCHEMA, extensionApiContract } from '../../contract/extension-api.ts'
import {
  type Answer,
  type Client,
  connect,
  problem,
  recorder,
  sender,
} from '../../support/harness.ts'
import { withUser } from '../../support/in-scope.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

let store: Store
let admin: Client
let time = NOW
beforeAll(async () => {
  store = await openSqlite(':memory:')
  admin = await connect(store, { role: 'admin', now: () => time })
})
afterAll(() => store.close())

describe('health', () => {
  it('health does not require a token', async () => {
    const anyone = sender(admin.directory, '')
    expect(await anyone('GET', '/api/health')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
  })

  it('health does not depend on the database, so an outage does not restart the process', async () => {
    const away: Store = { ...store, read: failUnavailable, ping: failUnavailable }
    const directory = createDirectory({ store: away, apiMiddleware: recorder.middleware })
    expect((await sender(directory, '')('GET', '/api/health')).status).toBe(200)
    expect((await sender(directory, '')('GET', '/api/ready')).status).toBe(503)
  })
})

describe('readiness', () => {
  it('readiness does not require a token', async () => {
    const anyone = sender(admin.directory, '')
    expect(await anyone('GET', '/api/ready')).toMatchObject({
      status: 200,
      body: { status: 'ready' },
    })
  })
})

it('the server describes itself', async () => {
  const { body } = await admin.send('GET', '/api/about')
  const { length } = (await admin.send('GET', '/api/tenants')).body.tenants ?? []
  expect(body).toEqual({
    version: expect.stringMatching(/^\d{4}\.\d{1,2}\.\d{1,2}$/),
    runtime: expect.stringMatching(/^Node\.js \d+\./),
    database: 'sqlite',
    tenants: length,
    logsRequests: false,
  })
  expect((await admin.send('GET', '/api/about?unknown=1')).status).toBe(422)
})

describe('tenants', () => {
  it('tenants are created and listed', async () => {
    const created = await admin.send('POST', '/api/tenants', { id: 'acme', name: 'Acme' })
    expect(created).toMatchObject({
      status: 201,
      body: { id: 'acme', name: 'Acme', createdAt: '2026-11-21T12:00:00.000Z' },
    })
    const { body } = await admin.send('GET', '/api/tenants')
    expect(body.tenants).toContainEqual(created.body)
  })

  it('tenants are rejected if the id already exists', async () => {
    await admin.send('POST', '/api/tenants', { id: 'once', name: 'Once' })
    const again = await admin.send('POST', '/api/tenants', { id: 'once', name: 'Twice' })
    expect(again).toMatchObject(problem(409, 'conflict'))
    expect(again.body.detail).toMatch(/tenant once/i)
    const { body } = await admin.send('GET', '/api/tenants')
    expect((body.tenants ?? []).filter(({ id }) => String(id) === 'once')).toMatchObject([
      { name: 'Once' },
    ])
  })

  it.each([
    ['an id in capitals', { id: 'Acme', name: 'a' }, ['/id']],
    ['an id that is a path', { id: '../x', name: 'a' }, ['/id']],
    ['an id of 64 characters', { id: 'a'.repeat(64), name: 'a' }, ['/id']],
    ['an empty name', { id: 'a', name: '' }, ['/name']],
    ['a name with a NUL character', { id: 'a', name: 'a\0' }, ['/name']],
    ['a name with a lone surrogate', { id: 'a', name: 'a\ud800' }, ['/name']],
    ['nothing', {}, ['/id', '/name']],
    ['an array', [], ['']],
  ])('tenants are rejected with %s', async (_, body, pointers) => {
    const rejected = await admin.send('POST', '/api/tenants', body)
    expect(rejected).toMatchObject(problem(422, 'invalid'))
    expect((rejected.body.issues ?? []).map(({ pointer }) => String(pointer))).toEqual(pointers)
  })
})

describe('a tenant', () => {
  it('a tenant is renamed, disabled, enabled and deleted', async () => {
    const path = `/api/tenants/${await tenantOf('changed')}`
    const change = async (body: object) => (await admin.send('PATCH', path, body)).body
    const noted = new Date(time).toISOString()
    expect(await change({ name: 'Renamed', disabled: true })).toMatchObject({
      name: 'Renamed',
      disabledAt: noted,
    })
    expect(await change({ disabled: false })).toMatchObject({ name: 'Renamed', disabledAt: null })
    const { body } = await admin.send('GET', `${path}?summary=true`)
    expect(body.summary).toMatchObject({ resources: { User: { count: 0, isExact: true } } })
    const activity = await admin.send('GET', `${path}/activity`)
    expect(activity.body).toMatchObject({ step: 'hour', summary: body.summary })
    const listed = await admin.send('GET', '/api/tenants?summary=true&count=1&cursor=0.a')
    expect(listed.body.tenants).toMatchObject([{ summary: { errors: { count: 0 } } }])
    expect(await admin.send('DELETE', path)).toMatchObject({
      status: 202,
      body: { deletedAt: noted },
    })
    const rejected = await admin.send('PATCH', path, { name: 'again' })
    expect(rejected).toMatchObject(problem(409, 'not-allowed'))
  })

  it.each([
    ['GET', '/api/tenants/nowhere', undefined],
    ['GET', '/api/tenants/nowhere/activity', undefined],
    ['PATCH', '/api/tenants/nowhere', { name: 'a' }],
    ['DELETE', '/api/tenants/nowhere', undefined],
    ['GET', '/api/tenants/nowhere/changes', undefined],
    ['GET', '/api/tenants/nowhere/connection', undefined],
    ['PATCH', '/api/tenants/nowhere/connection', { state: 'paused' }],
    ['GET', '/api/tenants/nowhere/connection/changes', undefined],
    ['POST', '/api/tenants/nowhere/connection/release', {}],
    ['POST', '/api/tenants/nowhere/connection/drop', {}],
  ])('a missing tenant is the problem not-found: %s %s', async (method, path, body) => {
    expect(await admin.send(method, path, body)).toMatchObject(problem(404, 'not-found'))
  })

  it.each([
    ['GET', '/api/tenants?cursor=a', undefined, '/cursor'],
    ['GET', '/api/tenants?cursor=1.A', undefined, '/cursor'],
    ['GET', '/api/tenants?count=0', undefined, '/count'],
    ['GET', '/api/tenants?count=101', undefined, '/count'],
    ['GET', '/api/tenants?summary=a', undefined, '/summary'],
    ['GET', '/api/tenants/Acme', undefined, '/tenantId'],
    ['GET', '/api/tenants/acme?summary=a', undefined, '/summary'],
    ['GET', '/api/tenants/Acme/activity', undefined, '/tenantId'],
    ['GET', '/api/tenants/acme/activity?period=year', undefined, '/period'],
    ['PATCH', '/api/tenants/Acme', { name: 'a' }, '/tenantId'],
    ['PATCH', '/api/tenants/acme', { name: '' }, '/name'],
    ['PATCH', '/api/tenants/acme', { disabled: 'yes' }, '/disabled'],
    ['DELETE', '/api/tenants/%00', undefined, '/tenantId'],
  ])('a tenant is rejected with an invalid value: %s %s %j', async (...row) => {
    const [method, path, body, pointer] = row
    const rejected = await admin.send(method, path, body)
    expect(rejected).toMatchObject(problem(422, 'invalid'))
    expect(JSON.stringify(rejected.body.issues)).toContain(pointer.slice(1))
  })

  it('the tenant default cannot be deleted, because the next start would create it again', async () => {
    const rejected = await admin.send('DELETE', '/api/tenants/default')
    expect(rejected).toMatchObject(problem(409, 'not-allowed'))
    expect(rejected.body.detail).toContain('next start')
  })
})

describe('tokens', () => {
  it('tokens are created with defaults, and returned once', async () => {
    const tenant = await tenantOf('shown')
    const created = await admin.send('POST', '/api/tokens', { tenantId: tenant, name: 'mine' })
    expect(created).toMatchObject({
      status: 201,
      body: {
        tenantId: tenant,
        role: 'client',
        profile: 'standard',
        userId: null,
        lastUsedAt: null,
        expiresAt: null,
        access: 'write',
        replaces: null,
        replacedBy: null,
      },
    })
    const { token: text, ...shown } = created.body
    const { body } = await admin.send('GET', `/api/tokens?tenantId=${tenant}`)
    expect(body.tokens).toEqual([shown])
    expect(JSON.stringify(body)).not.toContain(String(text).split('.')[1])
  })

  it.each(PROFILE_NAMES)(
    'tokens have the profile %s and the user the administrator names, also after a rotation',
    async (profile) => {
      const tenantId = await tenantOf(`named-${profile}`)
      await withUser(store, tenantId, 'u1')
      const token = { tenantId, name: 'mine', profile, userId: 'u1' }
      const created = await admin.send('POST', '/api/tokens', token)
      expect(created).toMatchObject({ status: 201, body: token })
      const rotated = await admin.send('POST', `/api/tokens/${created.body.id}/rotate`, {})
      expect(rotated).toMatchObject({ status: 201, body: token })
      const { body } = await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)
      expect(body.tokens).toMatchObject([token, token])
    },
  )

  it('tokens for administrators and for the tenant default are listed without a tenant parameter', async () => {
    await tenantOf('default')
    const { id } = await createToken({ name: 'of default' })
    const { body } = await admin.send('GET', '/api/tokens')
    expect(body.tokens).toMatchObject([
      { role: 'admin', tenantId: null },
      { id, role: 'client', tenantId: 'default' },
    ])
  })

  it('tokens are listed by tenant', async () => {
    expect((await admin.send('GET', '/api/tokens?tenantId=nowhere')).body.tokens).toEqual([])
    const own = await admin.send('GET', `/api/tokens?tenantId=${admin.tenantId}`)
    expect(own.body.tokens).toHaveLength(1)
  })

  it("tokens grant access to their tenant, with the profile's rules", async () => {
    const tenantId = await tenantOf('let-in')
    const added = await createToken({ tenantId, name: 'Okta', profile: 'okta' })
    const client = sender(admin.directory, added.token)
    expect((await client('POST', '/Users', { userName: 'a' })).status).toBe(201)
    const { body } = await client('POST', '/Groups', { displayName: 'g' })
    const patched = await client('PATCH', `/Groups/${body.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'remove', path: 'members[value eq "unknown"]' }],
    })
    expect(patched.status).toBe(204)
    expect((await admin.send('GET', '/Users')).body.totalResults).toBe(0)
  })

  it('tokens show when they were last used, to the minute', async () => {
    const tenantId = await tenantOf('used')
    const { token } = await createToken({ tenantId, name: 'used' })
    const lastUsed = async () =>
      (await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)).body.tokens?.[0]?.lastUsedAt
    expect(await lastUsed()).toBe(null)
    const client = sender(admin.directory, token)
    for (const [later, seen] of [
      [0, 0],
      [59_999, 0],
      [60_000, 60_000],
    ] as const) {
      time = NOW + later
      await client('GET', '/Users?count=0')
      expect(await lastUsed()).toBe(new Date(NOW + seen).toISOString())
    }
  })

  it('tokens are rejected immediately after they are revoked, and are revoked only once', async () => {
    const { token, id } = await createToken({ tenantId: await tenantOf('gone'), name: 'gone' })
    const client = sender(admin.directory, token)
    expect((await client('GET', '/Users')).status).toBe(200)
    const revoked = await admin.send('DELETE', `/api/tokens/${id}`)
    expect(revoked).toMatchObject({ status: 204, body: undefined })
    expect((await client('GET', '/Users')).status).toBe(401)
    expect(await admin.send('DELETE', `/api/tokens/${id}`)).toMatchObject(problem(404, 'not-found'))
  })

  it('tokens are rejected within a second after another process revoked them', async () => {
    const { token, id } = await createToken({ tenantId: await tenantOf('other'), name: 'other' })
    // A second store, like that of another process.
    const other = sender(createDirectory({ store: { ...store }, now: () => time }), token)
    expect((await other('GET', '/Users')).status).toBe(200)
    await admin.send('DELETE', `/api/tokens/${id}`)
    time += 1_000
    expect((await other('GET', '/Users')).status).toBe(401)
    expect((await other('GET', '/Users')).status).toBe(401)
  })

  it('tokens are looked up once a second instead of for each request', async () => {
    let reads = 0
    const read: Store['read'] = (...given) => {
      reads += 1
      return store.read(...given)
    }
    const { token } = await createToken({ tenantId: await tenantOf('often'), name: 'often' })
    const client = sender(createDirectory({ store: { ...store, read }, now: () => time }), token)
    for (const later of [0, 0, 999, 1]) {
      time += later
      expect((await client('GET', '/ServiceProviderConfig')).status).toBe(200)
    }
    // The token, and the version of the schemas of its tenant.
    expect(reads).toBe(4)
  })

  it('administrator tokens do not belong to a tenant', async () => {
    const added = await createToken({ name: 'another', role: 'admin' })
    const other = sender(admin.directory, added.token)
    expect((await other('GET', '/api/tenants')).status).toBe(200)
    const { body } = await admin.send('GET', '/api/tokens')
    expect(body.tokens).toContainEqual(
      expect.objectContaining({ id: added.id, role: 'admin', tenantId: null }),
    )
  })

  it('tokens are rejected with the role admin and a tenant', async () => {
    const tenantId = await tenantOf('administered')
    for (const named of [tenantId, 'default']) {
      const body = { name: 'a', role: 'admin', tenantId: named }
      const rejected = await admin.send('POST', '/api/tokens', body)
      expect(rejected).toMatchObject(problem(422, 'invalid'))
      expect(rejected.body.issues).toMatchObject([
        { pointer: '/tenantId', detail: expect.stringContaining('role admin') },
      ])
    }
    const { body } = await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)
    expect(body.tokens).toEqual([])
  })

  it('tokens are rejected for a tenant that does not exist', async () => {
    const body = { tenantId: 'nowhere', name: 'a' }
    const rejected = await admin.send('POST', '/api/tokens', body)
    expect(rejected).toMatchObject(problem(404, 'not-found'))
    expect(rejected.body.detail).toMatch(/tenant nowhere/i)
  })

  it.each([
    ['an unknown role', { name: 'a', role: 'root' }, '/role'],
    ['an unknown access', { name: 'a', access: 'admin' }, '/access'],
    ['an unknown profile', { name: 'a', profile: 'constructor' }, '/profile'],
    ['a malformed tenant id', { name: 'a', tenantId: "' or 1=1" }, '/tenantId'],
    ['an expiry without a time', { name: 'a', expiresAt: '2100-01-01' }, '/expiresAt'],
    ['an expiry without a time zone', { name: 'a', expiresAt: '2100-01-01T00:00' }, '/expiresAt'],
    [
      'an expiry on a day that does not exist',
      { name: 'a', expiresAt: '2100-02-29T00:00:00Z' },
      '/expiresAt',
    ],
    ['an expiry that is a number', { name: 'a', expiresAt: 4_102_444_800_000 }, '/expiresAt'],
    ['a user id of 101 characters', { name: 'a', userId: 'a'.repeat(101) }, '/userId'],
    ['a user id with a NUL character', { name: 'a', userId: 'a\0' }, '/userId'],
    ['a name with a lone surrogate', { name: 'a\udfff' }, '/name'],
    ['a user id with a lone surrogate', { name: 'a', userId: '\ud800' }, '/userId'],
  ])('tokens are rejected with %s', async (_, body, pointer) => {
    const rejected = await admin.send('POST', '/api/tokens', body)
    expect(rejected).toMatchObject(problem(422, 'invalid'))
    expect(rejected.body.issues).toMatchObject([{ pointer }])
  })

  it('tokens are not found by a malformed id, or listed by a malformed tenant id', async () => {
    const long = await admin.send('DELETE', `/api/tokens/${'a'.repeat(101)}`)
    expect(long).toMatchObject(problem(422, 'invalid'))
    const zero = await admin.send('DELETE', '/api/tokens/%00')
    expect(zero).toMatchObject(problem(422, 'invalid'))
    const list = await admin.send('GET', '/api/tokens?tenantId=%27%20or%201=1')
    expect(list).toMatchObject(problem(422, 'invalid'))
  })
})

const RECORDING = '/api/tenants/acme/recordings/4aa0f0cd-41c9-4a9f-b4b6-0c1c1d3c2a11'

const WEBHOOK = '/api/tenants/acme/webhooks/00000000-0000-7000-8000-000000000000'

/** The operations that need the database, and no credentials. */
const OPEN = [
  ['GET', '/api/ready', undefined],
  ['GET', '/.well-known/jwks.json', undefined],
] as const

/** Every operation that needs an administrator and the database, with a valid body. */
const QUERYING = [
  ['GET', '/api/tenants', undefined],
  ['POST', '/api/tenants', { id: 'rejected', name: 'a' }],
  ['GET', '/api/tenants/acme', undefined],
  ['GET', '/api/tenants/acme/activity', undefined],
  ['PATCH', '/api/tenants/acme', { name: 'rejected' }],
  ['DELETE', '/api/tenants/acme', undefined],
  ['GET', '/api/tenants/acme/changes', undefined],
  ['GET', '/api/tenants/acme/changes/live', undefined],
  ['GET', '/api/tenants/acme/connection', undefined],
  ['PATCH', '/api/tenants/acme/connection', {}],
  ['GET', '/api/tenants/acme/connection/changes', undefined],
  ['POST', '/api/tenants/acme/connection/release', undefined],
  ['POST', '/api/tenants/acme/connection/drop', undefined],
  ['GET', '/api/tenants/acme/webhooks', undefined],
  ['POST', '/api/tenants/acme/webhooks', { url: 'https://example.com/' }],
  ['GET', WEBHOOK, undefined],
  ['PATCH', WEBHOOK, {}],
  ['DELETE', WEBHOOK, undefined],
  ['POST', `${WEBHOOK}/rotate`, {}],
  ['GET', `${WEBHOOK}/deliveries`, undefined],
  ['POST', `${WEBHOOK}/deliveries/00000000-0000-7000-8000-000000000000/redeliver`, undefined],
  ['GET', '/api/tenants/acme/recordings', undefined],
  ['POST', '/api/tenants/acme/recordings', undefined],
  ['POST', `${RECORDING}/stop`, undefined],
  ['DELETE', RECORDING, undefined],
  ['GET', `${RECORDING}/run`, undefined],
  ['GET', '/api/tokens', undefined],
  ['POST', '/api/tokens', { name: 'a' }],
  ['DELETE', '/api/tokens/a', undefined],
  ['POST', '/api/tokens/a/rotate', {}],
  ['GET', '/api/clients', undefined],
  ['POST', '/api/clients', { name: 'a' }],
  ['POST', '/api/clients/a/rotate', {}],
  ['DELETE', '/api/clients/a', undefined],
  ['GET', '/api/setup-links', undefined],
  ['POST', '/api/setup-links', { name: 'a' }],
  ['DELETE', '/api/setup-links/a', undefined],
  ['GET', '/api/tenants/default/schemas', undefined],
  ['POST', '/api/tenants/default/schemas', BADGE_SCHEMA],
  ['GET', `/api/tenants/default/schemas/${BADGE_SCHEMA.id}`, undefined],
  ['PUT', `/api/tenants/default/schemas/${BADGE_SCHEMA.id}`, BADGE_SCHEMA],
  ['DELETE', `/api/tenants/default/schemas/${BADGE_SCHEMA.id}`, undefined],
  ['GET', '/api/requests', undefined],
  ['GET', '/api/requests/live', undefined],
  ['GET', '/api/requests/1', undefined],
  ['GET', '/api/tenants/a/groups/a/members', undefined],
  ['GET', '/api/about', undefined],
] as const

/** Those that need a token. Metrics do not query the database. */
const GUARDED = [...QUERYING, ['GET', '/metrics', undefined]] as const

/** Those of them that read a body. */
const WRITING = GUARDED.filter(([, , body]) => body !== undefined)

describe('extension schemas', () => extensionApiContract(() => store))

describe('a recording', () => {
  it('a recording is started, listed, stopped, read and deleted', async () => {
    const { tenantId } = admin
    const recorder = createRecorder({ store, now: () => time })
    const path = `/api/tenants/${tenantId}/recordings`
    const started = await admin.send('POST', path)
    expect(started).toMatchObject({ status: 201, body: { isActive: true } })
    expect(await admin.send('POST', path)).toMatchObject(problem(409, 'not-allowed'))
    expect((await admin.send('GET', path)).body).toEqual({ recordings: [started.body] })
    const own = `${path}/${started.body.id}`
    expect(await admin.send('GET', `${own}/run`)).toMatchObject(problem(409, 'not-allowed'))
    const recorded = await connect(store, { recorder, tenantId, now: () => time })
    await recorded.send('POST', '/Users', { userName: 'recorded' })
    await recorder.flush()
    expect(await admin.send('POST', `${own}/stop`)).toMatchObject({
      status: 200,
      body: { isActive: false, requests: 1 },
    })
    expect(await admin.send('GET', `${own}/run`)).toMatchObject({
      status: 200,
      body: { profile: 'standard', steps: [{ save: { id1: '/id' } }] },
    })
    expect((await admin.send('DELETE', own)).status).toBe(204)
  })

  it.each([
    ['GET', '/api/tenants/nowhere/recordings'],
    ['POST', '/api/tenants/nowhere/recordings'],
    ['POST', `${RECORDING}/stop`],
    ['DELETE', RECORDING],
    ['GET', `${RECORDING}/run`],
  ])('a missing recording is the problem not-found: %s %s', async (method, path) => {
    expect(await admin.send(method, path)).toMatchObject(problem(404, 'not-found'))
  })

  it.each([
    ['GET', '/api/tenants/Acme/recordings'],
    ['POST', '/api/tenants/Acme/recordings'],
    ['POST', '/api/tenants/acme/recordings/1/stop'],
    ['DELETE', '/api/tenants/acme/recordings/1'],
    ['GET', '/api/tenants/acme/recordings/1/run'],
  ])('a recording is rejected with an invalid id: %s %s', async (method, path) => {
    expect(await admin.send(method, path)).toMatchObject(problem(422, 'invalid'))
  })
})

describe('the requests in the provisioning log', () => {
  it('requests are listed and read, also if this server does not log', async () => {
    const { tenantId } = admin
    const log = createProvisioningLog({ store, now: () => time, days: 1, rows: 100 })
    const logging = await connect(store, { provisioning: log, tenantId })
    await logging.send('GET', '/Users/none')
    await log.close()
    const { status, body } = await admin.send('GET', `/api/requests?tenantId=${tenantId}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ requests: [{ status: 404, path: '/Users/none' }], dropped: 0 })
    const path = `/api/requests/${body.requests?.[0]?.number}`
    expect(await admin.send('GET', `${path}?tenantId=${tenantId}`)).toMatchObject({
      status: 200,
      body: { ...body.requests?.[0], exchange: { answer: { status: '404' } } },
    })
    expect(await admin.send('GET', path)).toMatchObject(problem(404, 'not-found'))
  })

  it.each([
    ['?tenantId=%27', '/tenantId'],
    ['?user=', '/user'],
    ['?user=%00', '/user'],
    ['?status=200', '/status'],
    ['?from=yesterday', '/from'],
    ['?to=2026', '/to'],
    ['?cursor=a', '/cursor'],
    ['?cursor=12345678901234567', '/cursor'],
    ['?count=0', '/count'],
    ['?count=1001', '/count'],
    ['/a', '/requestNumber'],
    ['/live?tenantId=%27', '/tenantId'],
  ])('requests are not listed or read with an invalid parameter: %s', async (rest, pointer) => {
    const rejected = await admin.send('GET', `/api/requests${rest}`)
    expect(rejected).toMatchObject(problem(422, 'invalid'))
    expect(JSON.stringify(rejected.body.issues)).toContain(pointer.slice(1))
  })

  it('requests are watched as an event stream, until the client hangs up', async () => {
    const hangUp = new AbortController()
    const token = 'a-token-of-the-environment'
    const options = { store, token, apiMiddleware: recorder.middleware }
    const request = new Request('http://localhost/api/requests/live?after=3', {
      headers: { Authorization: `Bearer ${token}`, 'Last-Event-ID': '7' },
      signal: hangUp.signal,
    })
    const response = await createDirectory(options).fetch(request)
    expect(response.status).toBe(200)
    hangUp.abort()
    expect(await response.text()).toMatch(/^retry: 1000\nid: 7\n\n/)
  })

  it('requests are listed with every parameter', async () => {
    const time = '2026-11-22T12:00:00Z'
    const query = `user=a&status=2xx&from=${time}&to=${time}&cursor=9999999999999999&count=1000`
    const { status, body } = await admin.send('GET', `/api/requests?tenantId=a&${query}`)
    expect([status, body.requests]).toEqual([200, []])
  })
})

describe("a group's members", () => {
  it("a group's members are listed in pages", async () => {
    const { send, tenantId } = await connect(store, { role: 'admin' })
    const created = await send('POST', '/Groups', { displayName: 'all' })
    const path = `/api/tenants/${tenantId}/groups/${created.body.id}/members?count=1&after=a`
    expect(await send('GET', path)).toMatchObject({ status: 200, body: { members: [] } })
    expect(await send('GET', path.replace('members', 'x/members'))).toMatchObject({ status: 404 })
    expect(await send('GET', `/api/tenants/${tenantId}/groups/none/members`)).toMatchObject(
      problem(404, 'not-found'),
    )
    expect(await send('GET', path.replace('=1', '=0'))).toMatchObject(problem(422, 'invalid'))
  })
})

// PostgreSQL rejects U+0000, and UTF-8 cannot encode lone surrogates.
it.each([
  ['a\0', 'U+0000'],
  ['a\ud800', 'lone surrogate'],
])('the issue for a name %j names the rejected character', async (name, character) => {
  const { body } = await admin.send('POST', '/api/tenants', { id: 'a', name })
  expect(body.issues).toMatchObject([
    { pointer: '/name', detail: expect.stringContaining(character) },
  ])
})

describe('the management API', () => {
  it.each(GUARDED)(
    'the management API requires a token for %s %s (RFC 6750 §3 and §3.1)',
    async (method, path, body) => {
      const answers: Answer[] = []
      for (const credentials of ['', 'Basic YTpi', 'Bearer', 'Bearer wrong', 'Bearer a.b']) {
        answers.push(await admin.send(method, path, body, { Authorization: credentials }))
      }
      for (const answer of answers) expect(answer).toMatchObject(problem(401, 'unauthorized'))
      const invalid = 'Bearer error="invalid_token"'
      const challenges = ['Bearer', 'Bearer', invalid, invalid, invalid]
      expect(answers.map(({ headers }) => headers.get('WWW-Authenticate'))).toEqual(
        challenges.map((challenge) => `${challenge}, ${SESSION_CHALLENGES}`),
      )
    },
  )

  it.each(GUARDED)(
    "the management API rejects a client's token: %s %s",
    async (method, path, body) => {
      const client = await connect(store)
      const answer = await client.send(method, path, body)
      expect(answer).toMatchObject(problem(403, 'forbidden'))
      expect(answer.body.detail).toBe('An administrator’s token is required.')
      const challenge = answer.headers.get('WWW-Authenticate')?.replace(', scope="receiver"', '')
      expect(challenge).toBe('Bearer error="insufficient_scope"')
    },
  )

  it.each(QUERYING)(
    'the management API accepts only GET with a read-only token: %s %s',
    async (...row) => {
      const [method, path, body] = row
      // A stream does not end.
      if (path.endsWith('/live')) return
      const added = await createToken({ name: 'reader', role: 'admin', access: 'read' })
      const answer = await sender(admin.directory, added.token)(method, path, body)
      if (method === 'GET') return expect([200, 404]).toContain(answer.status)
      expect(answer).toMatchObject(problem(403, 'forbidden'))
      expect(answer.body.detail).toBe('This token may only read: it permits only GET.')
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope"')
    },
  )

  it('the management API accepts HEAD and OPTIONS with a read-only token (RFC 9110 §9.2.1)', async () => {
    const added = await createToken({ name: 'reader', role: 'admin', access: 'read' })
    const reader = sender(admin.directory, added.token)
    expect((await reader('HEAD', '/api/tenants')).status).toBe(200)
    expect((await reader('OPTIONS', '/api/tenants')).status).toBe(204)
    expect((await reader('PURGE', '/api/tenants')).status).toBe(405)
  })

  it('the management API does not create tenants for rejected requests', async () => {
    const { body } = await admin.send('GET', '/api/tenants')
    expect((body.tenants ?? []).map(({ id }) => String(id))).not.toContain('rejected')
  })

  it.each(WRITING)(
    'the management API rejects a body that is not JSON: %s %s',
    async (method, path) => {
      for (const text of ['{', '{"id":}', 'id=a', '{"id":"a"} {}']) {
        const answer = await admin.send(method, path, text)
        expect(answer).toMatchObject(problem(400, 'malformed'))
        expect(answer.body.detail).toMatch(/JSON/)
      }
    },
  )

  it.each(WRITING)(
    'the management API rejects a body with another media type: %s %s',
    async (method, path, body) => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
        const answer = await admin.send(method, path, body, { 'Content-Type': type })
        expect(answer).toMatchObject(problem(415, 'unsupported-media-type'))
        expect(answer.body.detail).toContain('application/json')
      }
    },
  )

  it.each(WRITING)(
    'the management API rejects a body over the limit: %s %s',
    async (method, path) => {
      const limit = path.endsWith('/schemas') || path.includes('/schemas/') ? 2 ** 20 : 2 ** 14
      const large = { id: 'large', name: 'a'.repeat(limit) }
      expect(await admin.send(method, path, large)).toMatchObject(problem(413, 'too-large'))
    },
  )

  it('the management API rejects a request without a token before it reads the body', async () => {
    const large = 'a'.repeat(1024 * 1024 + 1)
    const anyone = sender(admin.directory, '')
    expect((await anyone('POST', '/api/tenants', large)).status).toBe(401)
  })

  it('the management API ignores a body sent to an operation without one', async () => {
    const large = 'a'.repeat(1024 * 1024 + 1)
    expect((await admin.send('DELETE', '/api/tokens/a', large)).status).toBe(404)
  })

  it("the management API lists a path's methods in Allow (RFC 9110 §15.5.6)", async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/tenants/a', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      ['PUT', '/api/tenants', 'GET, HEAD, POST, OPTIONS'],
      ['PATCH', '/api/tokens', 'GET, HEAD, POST, OPTIONS'],
      ['GET', '/api/tokens/a', 'DELETE, OPTIONS'],
      ['POST', '/api/health', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await admin.send(method, path)
      expect(answer).toMatchObject({ status: 405, body: { status: 405 } })
      expect(answer.headers.get('Allow')).toBe(allow)
      expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    }
  })

  it('the management API answers OPTIONS and HEAD without being told (RFC 9110 §9.3)', async () => {
    const options = await admin.send('OPTIONS', '/api/tokens')
    expect(options.status).toBe(204)
    expect(options.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS')
    const head = await admin.send('HEAD', '/api/tenants')
    expect(head).toMatchObject({ status: 200, body: undefined })
    expect(head.headers.get('Content-Type')).toContain('application/json')
  })

  it('the management API answers 404 for any other path', async () => {
    for (const path of ['/api', '/api/', '/api/tenants/a', '/api/__proto__', '/api/tokens/a/b']) {
      const answer = await admin.send('GET', path)
      expect(answer).toMatchObject(problem(404, 'not-found'))
      expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    }
  })

  it("the management API reads only a body's own keys with __proto__", async () => {
    const body = '{"__proto__":{"id":"polluted","name":"a"},"constructor":{"id":"b"}}'
    expect(await admin.send('POST', '/api/tenants', body)).toMatchObject(problem(422, 'invalid'))
    expect('id' in {}).toBe(false)
  })

  it('the management API answers 503 with Retry-After while the database is unavailable', async () => {
    const token = 'a-token-of-the-environment'
    const away: Store = {
      ...store,
      read: failUnavailable,
      write: failUnavailable,
      scan: failUnavailable,
      ping: failUnavailable,
    }
    const log: LogEntry[] = []
    const options = {
      store: away,
      token,
      apiMiddleware: recorder.middleware,
      log: (entry: LogEntry) => log.push(entry),
    }
    const broken = sender(createDirectory(options), token)
    for (const [method, path, body] of [...QUERYING, ...OPEN]) {
      const answer = await broken(method, path, body)
      expect(answer).toMatchObject(problem(503, 'unavailable'))
      expect(answer.headers.get('Retry-After')).toBe('5')
      const error = expect.stringMatching(/^StoreUnavailableError/)
      expect(log.pop()).toMatchObject({ status: 503, level: 'error', error })
    }
  })
})

describe('an internal error in the management API', () => {
  it.each([...QUERYING, ...OPEN].filter(([, path]) => path !== '/api/ready'))(
    'an internal error is answered with a documented 500: %s %s',
    async (method, path, body) => {
      const token = 'a-token-of-the-environment'
      const broken: Store = {
        ...store,
        read: failInternally,
        write: failInternally,
        scan: failInternally,
        ping: failInternally,
      }
      const directory = createDirectory({
        store: broken,
        token,
        apiMiddleware: recorder.middleware,
      })
      const answer = await sender(directory, token)(method, path, body)
      expect(answer).toMatchObject({ status: 500, body: { type: 'about:blank', status: 500 } })
    },
  )
})

it('the metrics are served as text, also with a read-only token', async () => {
  const { token } = await createToken({ name: 'reader', role: 'admin', access: 'read' })
  const headers = { Authorization: `Bearer ${token}` }
  const response = await admin.directory.fetch(new Request('http://localhost/metrics', { headers }))
  expect(response.status).toBe(200)
  expect(await response.text()).toMatch(/^# HELP /)
})

it.each([
  ['503 if the database is unavailable', failUnavailable, problem(503, 'unavailable')],
  ['500 after an internal error', failInternally, { status: 500, body: { type: 'about:blank' } }],
])('the metrics answer %s while a token is looked up', async (_, read, answer) => {
  const options = { store: { ...store, read }, apiMiddleware: recorder.middleware }
  expect(await sender(createDirectory(options), 'a.b')('GET', '/metrics')).toMatchObject(answer)
})

describe('the management API document', () => {
  it('the document is served', async () => {
    const response = await admin.directory.fetch(new Request('http://localhost/openapi.json'))
    expect(response.status).toBe(200)
    const { paths } = (await response.json()) as { readonly paths: object }
    expect(Object.keys(paths)).toEqual([
      '/api/health',
      '/api/ready',
      '/metrics',
      '/api/tenants',
      '/api/tenants/{tenantId}',
      '/api/tenants/{tenantId}/activity',
      '/api/tenants/{tenantId}/changes',
      '/api/tenants/{tenantId}/changes/live',
      '/api/tenants/{tenantId}/connection',
      '/api/tenants/{tenantId}/connection/changes',
      '/api/tenants/{tenantId}/connection/release',
      '/api/tenants/{tenantId}/connection/drop',
      '/api/tenants/{tenantId}/webhooks',
      '/api/tenants/{tenantId}/webhooks/{webhookId}',
      '/api/tenants/{tenantId}/webhooks/{webhookId}/rotate',
      '/api/tenants/{tenantId}/webhooks/{webhookId}/deliveries',
      '/api/tenants/{tenantId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      '/.well-known/jwks.json',
      '/api/tenants/{tenantId}/recordings',
      '/api/tenants/{tenantId}/recordings/{recordingId}/stop',
      '/api/tenants/{tenantId}/recordings/{recordingId}',
      '/api/tenants/{tenantId}/recordings/{recordingId}/run',
      '/api/tokens',
      '/api/tokens/{tokenId}',
      '/api/tokens/{tokenId}/rotate',
      '/api/about',
      '/api/clients',
      '/api/clients/{clientId}/rotate',
      '/api/clients/{clientId}',
      '/api/tenants/{tenantId}/schemas',
      '/api/tenants/{tenantId}/schemas/{schemaId}',
      '/api/requests',
      '/api/requests/live',
      '/api/requests/{requestNumber}',
      '/api/tenants/{tenantId}/groups/{groupId}/members',
      '/api/setup-links',
      '/api/setup-links/{linkId}',
      '/scim/oauth/token',
      '/.well-known/oauth-authorization-server',
    ])
  })

  it('the document is right about the 429 of every operation that needs a token (RFC 6585 §4)', async () => {
    const limits = createClientLimits({
      requests: { perSecond: 1, burst: 1 },
      now: () => 0,
      proxies: 0,
      isBehindProxy: false,
    })
    const { send } = await connect(store, { limits, role: 'admin' })
    expect((await send('GET', '/api/tenants')).status).toBe(200)
    const secured = apiDocument
      .operations()
      .filter(({ spec: { security = [{ token: [] }] } }) => security.some((one) => 'token' in one))
    expect(secured.length).toBeGreaterThan(5)
    for (const { operationId, route } of secured) {
      const { method, pattern } = Object(route)
      const path = String(pattern.source ?? pattern).replaceAll(/:\w+/g, 'x')
      const { status, headers, body } = await send(String(method), path)
      expect([operationId, status, headers.get('Retry-After')]).toEqual([operationId, 429, '1'])
      expect(headers.get('Content-Type')).toBe('application/problem+json')
      expect(body).toEqual({
        type: 'https://plumbline.example/problems/too-many-requests',
        title: 'Too many requests',
        status: 429,
      })
    }
  })

  it('the document describes every response in the tests above, and no other', () => {
    expect(recorder.violations()).toEqual([])
    // The rotation of tokens, OAuth, changes and webhooks have tests of their own.
    const others =
      /^(?:rotateToken|\w+SetupLinks?|\w+Changes|\w+Connection|securityEvent|getKeys|\w+Webhooks?|\w*[dD]eliver(?:ies)?|\w+Clients?|createAccessToken|getAuthorizationServer)$/
    const uncovered = recorder.uncovered().filter(({ operationId }) => !others.test(operationId))
    // The handler of getHealth does not call anything that can fail, and getReadiness answers every failure with 503.
    expect(uncovered).toEqual([
      { operationId: 'getHealth', status: 500 },
      { operationId: 'getReadiness', status: 500 },
    ])
  })
})

async function tenantOf(id: string): Promise<string> {
  expect((await admin.send('POST', '/api/tenants', { id, name: id })).status).toBe(201)
  return id
}

async function createToken(body: object): Promise<{ readonly id: string; readonly token: string }> {
  const created = await admin.send('POST', '/api/tokens', body)
  expect(created.status).toBe(201)
  return { id: String(created.body.id), token: String(created.body.token) }
}

async function failUnavailable(): Promise<never> {
  throw new StoreUnavailableError('the database does not answer')
}

async function failInternally(): Promise<never> {
  throw new TypeError('secret')
}

const SESSION_CHALLENGES =
  'ApiKey in="cookie", name="plumbline-session", ApiKey in="cookie", name="__Host-plumbline-session"'
