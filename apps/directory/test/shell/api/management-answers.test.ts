import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { createRecorder } from '../../../src/features/recordings/recorder.ts'
import { createRecording } from '../../../src/features/recordings/store.ts'
import { ExtensionBody, extensionOf } from '../../../src/features/schemas/body.ts'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { createSession } from '../../../src/kernel/access/sessions.ts'
import { findTenant } from '../../../src/kernel/access/tenant-store.ts'
import { createToken } from '../../../src/kernel/access/token-store.ts'
import { DAY } from '../../../src/kernel/durations.ts'
import { PROFILE_NAMES } from '../../../src/kernel/profiles.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import type { LogEntry } from '../../../src/shell/observe/request-log.ts'
import { BADGE_SCHEMA } from '../../contract/extension-api.ts'
import { type Client, connect, recorder, sender } from '../../support/harness.ts'
import { typeCounts } from '../../support/types.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const RECORDING = '4aa0f0cd-41c9-4a9f-b4b6-0c1c1d3c2a11'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const GRANT = 'grant_type=client_credentials'

let store: Store
let admin: Client
let time = NOW
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

/** Connects an administrator to a new tenant. */
async function open(options: Parameters<typeof connect>[1] = {}): Promise<string> {
  time = NOW
  admin = await connect(store, { role: 'admin', now: () => time, ...options })
  return `/api/tenants/${admin.tenantId}`
}

const textOf = (at: number) => new Date(at).toISOString()

describe('management API problems have a detail that names the reason', () => {
  it.each([
    ['POST', '/api/tokens', { name: 'a', tenantId: 'nowhere' }, 'Tenant nowhere not found.'],
    ['POST', '/api/clients', { name: 'a', tenantId: 'nowhere' }, 'Tenant nowhere not found.'],
    ['GET', '/api/tenants/nowhere/schemas', undefined, 'Tenant nowhere not found.'],
    ['POST', '/api/tenants/nowhere/schemas', BADGE_SCHEMA, 'Tenant nowhere not found.'],
    [
      'GET',
      `/api/tenants/nowhere/recordings/${crypto.randomUUID()}/run`,
      undefined,
      'A run needs a recording: the provisioning log does not have the bodies of successful requests.',
    ],
  ])(
    'a management API problem names the reason for 404: %s %s',
    async (method, path, sent, detail) => {
      await open()
      const { status, body } = await admin.send(method, path, sent)
      expect([status, body.detail]).toEqual([404, detail])
    },
  )

  it('a management API problem names the reason for an existing tenant, and for deleting the tenant default', async () => {
    await open()
    const { tenantId: id } = admin
    const created = await admin.send('POST', '/api/tenants', { id, name: 'again' })
    expect([created.status, created.body.detail]).toEqual([409, `Tenant ${id} already exists.`])
    const deleted = await admin.send('DELETE', '/api/tenants/default')
    expect([deleted.status, deleted.body.detail]).toEqual([
      409,
      'The next start would create the tenant default again. It can be disabled.',
    ])
  })

  it('a management API problem names the reason for a tenant under deletion', async () => {
    const path = await open()
    await admin.send('DELETE', path)
    const { tenantId: id } = admin
    for (const answer of [
      await admin.send('PATCH', path, { name: 'again' }),
      await admin.send('POST', '/api/tenants', { id, name: 'again' }),
    ]) {
      expect([answer.status, answer.body.detail]).toEqual([409, `Tenant ${id} is being deleted.`])
    }
  })

  it('a management API problem names the reason for recordings', async () => {
    const path = `${await open()}/recordings`
    for (let at = 1; at <= 5; at += 1) {
      const { status, body } = await admin.send('POST', path)
      expect(status).toBe(201)
      const again = await admin.send('POST', path)
      expect([again.status, again.body.detail]).toEqual([409, 'A recording is already active.'])
      const run = await admin.send('GET', `${path}/${body.id}/run`)
      const detail = 'The recording does not have requests to replay.'
      expect([run.status, run.body.detail]).toEqual([409, detail])
      await admin.send('POST', `${path}/${body.id}/stop`)
    }
    const more = await admin.send('POST', path)
    expect([more.status, more.body.detail]).toEqual([409, 'Delete one of the 5 recordings first.'])
  })

  it('a management API problem names the reason for schemas', async () => {
    const path = `${await open()}/schemas`
    expect((await admin.send('POST', path, BADGE_SCHEMA)).status).toBe(201)
    const { id } = BADGE_SCHEMA
    const detailOf = async (...request: Parameters<Client['send']>) => {
      const { status, body } = await admin.send(...request)
      return [status, body.detail]
    }
    expect(await detailOf('POST', path, BADGE_SCHEMA)).toEqual([
      409,
      `The schema ${id} already exists.`,
    ])
    expect(await detailOf('POST', path, { ...BADGE_SCHEMA, id: `${id}:x` })).toEqual([
      409,
      `The URN must not be a part of ${id}, nor the opposite.`,
    ])
    await admin.send('POST', '/Users', { userName: 'a', [id]: { badge: 'x' } })
    const attributes = [{ name: 'badge', type: 'integer' }]
    expect(await detailOf('PUT', `${path}/${id}`, { ...BADGE_SCHEMA, attributes })).toEqual([
      409,
      'Users that have a value of badge: 1.',
    ])
    expect(await detailOf('DELETE', `${path}/${id}`)).toEqual([
      409,
      'Users that have the extension: 1.',
    ])
  })
})

describe("a rejected body's issues name the member", () => {
  it.each([
    [
      'PUT',
      `schemas/${BADGE_SCHEMA.id}`,
      { ...BADGE_SCHEMA, id: 'urn:example:other:User' },
      { pointer: '/id', detail: 'must be the URN in the path' },
    ],
    [
      'POST',
      'schemas',
      { ...BADGE_SCHEMA, id: 'x' },
      {
        pointer: '/id',
        detail: 'must be a URN of letters, digits, ".", "_", "-" and ":"',
      },
    ],
  ])('%s /api/tenants/:tenantId/%s', async (method, path, sent, issue) => {
    const { status, body } = await admin.send(method, `${await open()}/${path}`, sent)
    expect([status, body.issues]).toEqual([422, [{ location: 'body', ...issue }]])
  })
})

it.each([
  ['User', 'members', 201],
  ['Group', 'members', 422],
  ['Group', 'userName', 201],
  ['User', 'userName', 422],
])('a schema for %s with the attribute %s is answered %i', async (resourceType, name, status) => {
  const path = `${await open()}/schemas`
  const body = { ...BADGE_SCHEMA, resourceType, attributes: [{ name, type: 'string' }] }
  const answer = await admin.send('POST', path, body)
  expect([answer.status, answer.body.issues?.[0]?.pointer]).toEqual([
    status,
    status === 201 ? undefined : '/attributes/0/name',
  ])
})

it.each([['Badges of employees'], [undefined]])(
  'a schema with the description %j is answered with it',
  async (description) => {
    const path = `${await open()}/schemas`
    const { description: _, ...plain } = { description: '', ...BADGE_SCHEMA }
    const body = { ...plain, ...(description !== undefined && { description }) }
    expect((await admin.send('POST', path, body)).body.description).toBe(description)
    const { body: read } = await admin.send('GET', `${path}/${BADGE_SCHEMA.id}`)
    expect(read.description).toBe(description)
  },
)

describe("a tenant's schemas", () => {
  const id = (at: number) => `urn:example:x:${at}:User`

  it('a tenant has at most 20 schemas, and can then replace one', async () => {
    const path = `${await open()}/schemas`
    for (let at = 1; at <= 21; at += 1) {
      const { status } = await admin.send('POST', path, { ...BADGE_SCHEMA, id: id(at) })
      expect([at, status]).toEqual([at, at <= 20 ? 201 : 409])
    }
    const replaced = { ...BADGE_SCHEMA, id: id(1), name: 'Other' }
    expect((await admin.send('PUT', `${path}/${id(1)}`, replaced)).status).toBe(200)
  })

  it("a tenant's schemas have at most 256 KiB as JSON together", async () => {
    const path = `${await open()}/schemas`
    const schema = (at: number, lengths: readonly number[]) => ({
      ...BADGE_SCHEMA,
      id: id(at),
      attributes: lengths.map((length, index) => ({
        name: `a${index}`,
        type: 'string',
        description: 'ä'.repeat(length / 2),
      })),
    })
    const bytesOf = (body: object) =>
      Buffer.byteLength(JSON.stringify(extensionOf(ExtensionBody.parse(body))))
    const first = schema(
      1,
      Array.from({ length: 60 }, () => 3_000),
    )
    expect((await admin.send('POST', path, first)).status).toBe(201)
    const lengths = Array.from({ length: 33 }, () => 2_000)
    const left = 256 * 1_024 - bytesOf(first) - bytesOf(schema(2, [...lengths, 0]))
    const last = left - (left % 2)
    const name = left % 2 === 0 ? BADGE_SCHEMA.name : `${BADGE_SCHEMA.name}s`
    const full = { ...schema(2, [...lengths, last]), name }
    expect(bytesOf(first) + bytesOf(full)).toBe(256 * 1_024)
    const over = await admin.send('POST', path, { ...full, name: `${name}s` })
    expect([over.status, over.body.detail]).toEqual([
      409,
      'The schemas of a tenant have at most 256 KiB of JSON.',
    ])
    expect((await admin.send('POST', path, full)).status).toBe(201)
  })
})

describe('an OAuth client', () => {
  it('an OAuth client shows when it was last used, and when the old secret expires', async () => {
    await open()
    const { tenantId } = admin
    const { body: added } = await admin.send('POST', '/api/clients', { tenantId, name: 'a' })
    const shown = async () =>
      (await admin.send('GET', `/api/clients?tenantId=${tenantId}`)).body.clients?.[0]
    const rotated = await admin.send('POST', `/api/clients/${added.id}/rotate`, {
      overlapSeconds: 60,
    })
    const oldSecretExpiresAt = textOf(NOW + 60_000)
    const { secret, ...others } = added
    expect(rotated.status).toBe(200)
    expect(rotated.body).toEqual({
      ...others,
      oldSecretExpiresAt,
      secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(rotated.body.secret).not.toBe(secret)
    time = NOW + 59_999
    expect(await shown()).toMatchObject({ oldSecretExpiresAt, lastUsedAt: null })
    const form = `${GRANT}&client_id=${added.id}&client_secret=${secret}`
    const old = await tokenOf(form)
    expect(old.status).toBe(200)
    const send = sender(admin.directory, String(old.body.access_token))
    expect((await send('GET', '/Users?count=0')).status).toBe(200)
    expect(await shown()).toMatchObject({ oldSecretExpiresAt, lastUsedAt: textOf(time) })
    time = NOW + 60_000
    expect(await shown()).toMatchObject({ oldSecretExpiresAt: null })
    expect((await tokenOf(form)).status).toBe(401)
  })

  it('an OAuth client has one secret after a rotation without an overlap', async () => {
    await open()
    const { tenantId } = admin
    const { body: added } = await admin.send('POST', '/api/clients', { tenantId, name: 'a' })
    const rotated = await admin.send('POST', `/api/clients/${added.id}/rotate`, {
      overlapSeconds: 0,
    })
    expect(rotated.body.oldSecretExpiresAt).toBeNull()
    const form = `${GRANT}&client_id=${added.id}&client_secret=`
    expect((await tokenOf(`${form}${added.secret}`)).status).toBe(401)
    expect((await tokenOf(`${form}${rotated.body.secret}`)).status).toBe(200)
  })

  it('an OAuth client has a day of overlap by default', async () => {
    await open()
    const { tenantId } = admin
    const { body: added } = await admin.send('POST', '/api/clients', { tenantId, name: 'a' })
    const { body } = await admin.send('POST', `/api/clients/${added.id}/rotate`, {})
    expect(body.oldSecretExpiresAt).toBe(textOf(NOW + DAY))
  })

  it.each([
    [GRANT, '', 401, 'invalid_client', 'the client or its secret is unknown', 'wrong'],
    ['grant_type=x', '', 400, 'unsupported_grant_type', 'only client_credentials is supported', ''],
    [GRANT, '&scope=x', 400, 'invalid_scope', 'the client does not have the scope', ''],
  ])(
    'a rejected OAuth client learns why (RFC 6749 §5.2): %s%s',
    async (grant, scope, status, error, description, wrong) => {
      await open()
      const { tenantId } = admin
      const { body: added } = await admin.send('POST', '/api/clients', { tenantId, name: 'a' })
      const credentials = `client_id=${added.id}&client_secret=${added.secret}${wrong}`
      const answer = await tokenOf(`${grant}&${credentials}${scope}`)
      expect([answer.status, answer.body]).toEqual([
        status,
        { error, error_description: description },
      ])
    },
  )

  it('an OAuth client in a disabled tenant learns that it is disabled', async () => {
    const path = await open()
    const { tenantId } = admin
    const { body: added } = await admin.send('POST', '/api/clients', { tenantId, name: 'a' })
    await admin.send('PATCH', path, { disabled: true })
    const credentials = `client_id=${added.id}&client_secret=${added.secret}`
    const { status, body } = await tokenOf(`${GRANT}&${credentials}`)
    expect([status, body.error_description]).toEqual([401, 'the tenant of the client is disabled'])
  })

  it('an OAuth client is in the log line for an access token request', async () => {
    const lines: object[] = []
    await open({ log: (line) => lines.push(line) })
    const { tenantId } = admin
    const { body: added } = await admin.send('POST', '/api/clients', { tenantId, name: 'a' })
    await tokenOf(`${GRANT}&client_id=${added.id}&client_secret=${added.secret}`)
    const route = '/scim/oauth/token'
    expect(lines.at(-1)).toMatchObject({ status: 200, tenant: tenantId, tokenId: added.id, route })
  })
})

/** Requests an access token with a form. */
async function tokenOf(form: string) {
  return await sender({ fetch: (request) => admin.directory.fetch(atTokenEndpoint(request)) }, 'x')(
    'POST',
    '/api/token',
    form,
    { ...FORM, Authorization: '' },
  )
}

/** The request to the token endpoint, which is below the SCIM endpoint. */
function atTokenEndpoint(request: Request): Request {
  const sent = new Request('http://localhost/scim/oauth/token', request)
  sent.headers.delete('Authorization')
  return sent
}

describe('a recording', () => {
  it('a recording shows its times, and how many requests it contains', async () => {
    const recordings = createRecorder({ store, now: () => time })
    const path = `${await open({ recorder: recordings })}/recordings`
    const { body: started } = await admin.send('POST', path)
    const shown = {
      id: started.id,
      createdAt: textOf(NOW),
      startsAt: textOf(NOW + 1_000),
      endsAt: textOf(NOW + 15 * 60_000),
    }
    expect(started).toEqual({ ...shown, isActive: true, requests: 0, length: 0 })
    time += 1_000
    await admin.send('POST', '/Users', { userName: 'a' })
    await recordings.flush()
    const own = `${path}/${started.id}`
    const { body: stopped } = await admin.send('POST', `${own}/stop`)
    const length = expect.any(Number)
    const endsAt = textOf(NOW + 1_000)
    expect(stopped).toEqual({ ...shown, endsAt, isActive: false, requests: 1, length })
    expect((await admin.send('GET', path)).body).toEqual({ recordings: [stopped] })
    time += 1_000
    expect((await admin.send('POST', `${own}/stop`)).body).toEqual(stopped)
  })

  it.each(PROFILE_NAMES)(
    "a recording is a run with the profile %s if the requests' token has this profile",
    async (profile) => {
      const recordings = createRecorder({ store, now: () => time })
      const path = `${await open({ recorder: recordings, profile })}/recordings`
      const { body: started } = await admin.send('POST', path)
      time += 1_000
      await admin.send('POST', '/Users', { userName: 'a' })
      await recordings.flush()
      const run = await admin.send('GET', `${path}/${started.id}/run`)
      const source = 'a recording of 1 requests, of which 0 were left out'
      expect(run.body).toMatchObject({ profile, source })
    },
  )
})

it('a tenant shows a summary with the token expiring next', async () => {
  const path = await open()
  const { tenantId } = admin
  const expiresAt = textOf(NOW + DAY)
  const { body: added } = await admin.send('POST', '/api/tokens', {
    tenantId,
    name: 'next',
    expiresAt,
  })
  const { body } = await admin.send('GET', `${path}?summary=true`)
  expect(body.summary).toEqual({
    resources: typeCounts({ count: 0, isExact: true }),
    errors: { count: 0, isExact: true },
    recent: { requests: 0, errors: 0 },
    state: 'waiting',
    webhooks: { failing: 0, stopped: 0, oldestChangeAt: null },
    connection: 'active',
    lastRequestAt: null,
    nextExpiry: { tokenId: added.id, name: 'next', expiresAt },
  })
  expect((await admin.send('GET', path)).body).not.toHaveProperty('summary')
})

describe('creating a tenant', () => {
  const token = 'a-token-of-the-environment'
  const create = async (broken: Partial<Store>, id: string) => {
    const directory = createDirectory({ store: { ...store, ...broken }, token })
    const { status, body } = await sender(directory, token)('POST', '/api/tenants', {
      id,
      name: 'a',
    })
    return [status, body.detail]
  }

  it.each([
    ['503 while the database is unavailable', new StoreUnavailableError('gone'), 503],
    ['500 after an internal error', new TypeError('a bug'), 500],
  ])('creating a tenant is answered with %s', async (_, error, status) => {
    const write = () => Promise.reject(error)
    expect(await create({ write }, 'not-created')).toEqual([status, undefined])
  })

  it('creating an existing tenant is a conflict, also if the other is deleted immediately', async () => {
    await open()
    const { tenantId: id } = admin
    const read: Store['read'] = async (work, options) => {
      await store.write(async (db) => {
        await db.exec(sql`delete from tokens where tenant_id = ${id}`)
        await db.exec(sql`delete from tenants where id = ${id}`)
      })
      return await store.read(work, options)
    }
    expect(await create({ read }, id)).toEqual([409, `Tenant ${id} already exists.`])
  })
})

it('tenants are listed in pages, the oldest first', async () => {
  await open()
  for (const id of ['page-a', 'page-b', 'page-c']) {
    time += 1
    await admin.send('POST', '/api/tenants', { id, name: id })
  }
  const all = (await admin.send('GET', '/api/tenants')).body
  expect(all).not.toHaveProperty('nextCursor')
  const ids = (all.tenants ?? []).map(({ id }) => String(id))
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await admin.send('GET', `/api/tenants?count=1${cursor}`)
    expect(body.tenants).toHaveLength(1)
    seen.push(...(body.tenants ?? []).map(({ id }) => String(id)))
    if (body.nextCursor === undefined) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(seen).toEqual(ids)
})

describe('a request stream', () => {
  it('a request stream asks proxies not to collect the events, and is limited', async () => {
    const token = 'a-token-of-the-environment'
    const directory = createDirectory({ store, token, apiMiddleware: recorder.middleware })
    const watch = (signal: AbortSignal) =>
      directory.fetch(
        new Request('http://localhost/api/requests/live?after=3', {
          headers: { Authorization: `Bearer ${token}` },
          signal,
        }),
      )
    const hangUp = new AbortController()
    const first = await watch(hangUp.signal)
    expect([first.status, first.headers.get('X-Accel-Buffering')]).toEqual([200, 'no'])
    let answer = first
    for (let at = 0; answer.status === 200 && at < 1_000; at += 1) {
      answer = await watch(hangUp.signal)
    }
    const { detail } = (await answer.json()) as { readonly detail: string }
    expect([answer.status, detail]).toEqual([503, 'Too many clients watch requests.'])
    hangUp.abort()
  })
})

describe('a management API query', () => {
  const path = (rest: string) => `/api/tenants/default/${rest}`

  it.each([
    ['/api/tenants', {}],
    ['/api/tenants?summary=true', {}],
    ['/api/requests?tenantId=acme', { tenantId: 'acme' }],
    [path('groups/a/members'), { tenantId: 'default' }],
    [path(`recordings/${RECORDING}/run`), {}],
  ])('a query stops when the client closes the connection: %s', async (path, tenant) => {
    await seedRecording()
    const token = 'a-token-of-the-environment'
    /** The client closes the connection at a read. Returns the options of the reads, and whether each stopped. */
    const readUntil = async (last: number) => {
      const given: unknown[] = []
      const stopped: boolean[] = []
      const hangUp = new AbortController()
      const note = (options: { readonly signal?: AbortSignal | undefined } = {}) => {
        const { signal, ...others } = options
        if (signal === undefined) return
        if (given.push(others) === last) hangUp.abort()
        stopped.push(signal.aborted)
      }
      const noting: Store = {
        ...store,
        read: (work, options) => {
          note(options)
          return store.read(work, options)
        },
        scan: (work, options) => {
          note(options)
          return store.scan(work, options)
        },
      }
      const headers = { Authorization: `Bearer ${token}` }
      const request = new Request(`http://localhost${path}`, { headers, signal: hangUp.signal })
      await Promise.allSettled([createDirectory({ store: noting, token }).fetch(request)])
      return { given, stopped }
    }
    const { given, stopped } = await readUntil(Infinity)
    expect(given.at(-1)).toEqual(tenant)
    expect(stopped).not.toContain(true)
    for (let last = 1; last <= given.length; last += 1) {
      expect((await readUntil(last)).stopped[last - 1]).toBe(true)
    }
  })
})

/** Creates the tenant default with a recording. */
async function seedRecording(): Promise<void> {
  const tenantId = 'default'
  await store.write(async (db) => {
    if ((await findTenant(db, tenantId)) !== null) return
    await createTenant(db, { id: tenantId, name: 'Default', created_at: NOW })
    await createRecording(db, { tenantId, id: RECORDING, now: NOW })
  })
}

describe('a console session', () => {
  const token = 'a-token-of-the-environment'
  const send = async (init: RequestInit, origin = 'http://localhost') => {
    const lines: LogEntry[] = []
    const directory = createDirectory({
      store,
      token,
      publicOrigin: origin,
      apiMiddleware: recorder.middleware,
      log: (line) => lines.push(line),
    })
    const response = await directory.fetch(new Request('http://localhost/api/tenants', init))
    const { detail } = (await response.json()) as { readonly detail?: string }
    return { status: response.status, detail, line: lines[0] }
  }
  const secretOf = async (text: string): Promise<string> => {
    const session = await createSession(text, { store, token, now: Date.now })
    return typeof session === 'string' ? session : session.secret
  }

  it.each([
    ['plumbline-session', 'http://localhost', 200],
    ['__Host-plumbline-session', 'http://localhost', 401],
    ['plumbline-session', 'https://localhost', 401],
    ['__Host-plumbline-session', 'https://localhost', 200],
  ])('a console session in the cookie %s is accepted at %s: %i', async (name, origin, status) => {
    const Cookie = `${name}=${await secretOf(token)}`
    expect((await send({ headers: { Cookie } }, origin)).status).toBe(status)
  })

  it('a console session is rejected with the reason if another site sends it, and without one if it is unknown', async () => {
    const sentBy = (secret: string) =>
      send({ headers: { Cookie: `plumbline-session=${secret}`, 'Sec-Fetch-Site': 'cross-site' } })
    expect(await sentBy(await secretOf(token))).toMatchObject({
      status: 403,
      detail: 'A session is accepted only from pages of this server.',
    })
    expect((await sentBy('x'.repeat(43))).status).toBe(401)
  })

  it('a console session is in the log with the token, and without a tenant', async () => {
    const now = Date.now()
    const options = { name: 'a', role: 'admin', profile: 'standard', now } as const
    const added = await store.write((db) => createToken(db, { ...options, tenantId: null }))
    const Cookie = `plumbline-session=${await secretOf(added.text)}`
    expect(await send({ headers: { Cookie } })).toMatchObject({
      status: 200,
      line: { tenant: null, tokenId: added.row.id },
    })
  })
})

it("the metrics count this process's requests", async () => {
  await open()
  await admin.send('GET', '/api/health')
  const token = 'a-token-of-the-environment'
  const directory = createDirectory({ store, token })
  const get = (path: string) =>
    directory.fetch(
      new Request(`http://localhost${path}`, { headers: { Authorization: `Bearer ${token}` } }),
    )
  await get('/api/health')
  await get('/scim/v2/Users?count=0')
  const text = await (await get('/metrics')).text()
  const counts = text.split('\n').filter((line) => line.includes('http_requests_total{'))
  expect(counts).toEqual([
    'directory_http_requests_total{method="GET",route="/api/health",status="200"} 1',
    'directory_http_requests_total{method="GET",route="/scim/v2/Users",status="200"} 1',
  ])
  // Those of the runtime belong to a process, which may have several directories.
  expect(text).not.toMatch(/^(process|nodejs)_/m)
})

describe("an OAuth client's id", () => {
  it.each([
    ['of 100 characters is searched', 'x'.repeat(100), 1],
    ['of 101 characters is not searched', 'x'.repeat(101), 0],
    ['with a space is not searched', 'a b', 0],
    ['after a space is not searched', '%20a', 0],
    ['before a space is not searched', 'a%20', 0],
    ['with a hyphen and an underscore is searched', 'a-b_c', 1],
  ])('an id %s', async (_, id, expected) => {
    let reads = 0
    const read: Store['read'] = (...given) => {
      reads += 1
      return store.read(...given)
    }
    const directory = createDirectory({ store: { ...store, read } })
    const body = `${GRANT}&client_id=${id}&client_secret=s`
    const url = 'http://localhost/scim/oauth/token'
    const answer = await directory.fetch(new Request(url, { method: 'POST', headers: FORM, body }))
    expect([answer.status, reads]).toEqual([401, expected])
  })
})
