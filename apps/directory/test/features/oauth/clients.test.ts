import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { PROFILE_NAMES } from '../../../src/kernel/profiles.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { createSigningKey } from '../../support/assertion.ts'
import { type Client, connect, recorder } from '../../support/harness.ts'

const TOKEN_URL = 'http://localhost/scim/oauth/token'
const USER = { userName: 'ada' }
const NOW = Date.parse('2026-11-22T12:00:00Z')

let store: Store
let admin: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  admin = await connect(store, { role: 'admin', now: () => NOW })
})
afterAll(() => store.close())

describe('OAuth clients', () => {
  it('OAuth clients are created with defaults, listed without their secret, and deleted', async () => {
    const { tenantId } = admin
    const created = await admin.send('POST', '/api/clients', { tenantId, name: 'Entra ID' })
    const { secret, ...shown } = created.body
    expect([created.status, shown]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        tenantId,
        name: 'Entra ID',
        profile: 'standard',
        access: 'write',
        userId: null,
        jwks: null,
        createdAt: '2026-11-22T12:00:00.000Z',
        lastUsedAt: null,
        oldSecretExpiresAt: null,
      },
    ])
    expect(String(secret)).toMatch(/^[\w-]{43}$/)
    const path = `/api/clients?tenantId=${tenantId}`
    expect((await admin.send('GET', path)).body).toEqual({ clients: [shown] })
    expect((await admin.send('DELETE', `/api/clients/${shown.id}`)).status).toBe(204)
    expect((await admin.send('GET', path)).body).toEqual({ clients: [] })
  })

  it.each(PROFILE_NAMES)(
    'OAuth clients have the profile %s, also after a rotation',
    async (profile) => {
      const { tenantId, send } = await connect(store, { role: 'admin', now: () => NOW })
      const client = { tenantId, name: 'mine', profile }
      const created = await send('POST', '/api/clients', client)
      expect(created).toMatchObject({ status: 201, body: client })
      const rotated = await send('POST', `/api/clients/${created.body.id}/rotate`, {})
      expect(rotated).toMatchObject({ status: 200, body: client })
      const { body } = await send('GET', `/api/clients?tenantId=${tenantId}`)
      expect(body.clients).toMatchObject([client])
    },
  )

  it('OAuth clients are listed with only the public members in their keys, and with their user', async () => {
    const { tenantId, send } = await connect(store, { role: 'admin', now: () => NOW })
    const { id: userId } = (await (await connect(store, { tenantId })).send('POST', '/Users', USER))
      .body
    const [{ kid: _, ...key }] = (await createSigningKey('ES256')).jwks.keys
    const sent = { ...key, alg: 'ES256', use: 'sig', key_ops: ['verify'] }
    const client = { tenantId, name: 'reader', access: 'read', userId }
    const created = await send('POST', '/api/clients', { ...client, jwks: { keys: [sent] } })
    const shown = { ...client, jwks: { keys: [key] } }
    expect(created).toMatchObject({ status: 201, body: shown })
    const { body } = await send('GET', `/api/clients?tenantId=${tenantId}`)
    expect(body.clients).toMatchObject([shown])
    const path = `/api/clients/${created.body.id}/rotate`
    const rotated = await send('POST', path, { jwks: { keys: [sent] } })
    expect(rotated).toMatchObject({ status: 200, body: shown })
  })

  it.each(['ES256', 'RS256'] as const)(
    'OAuth clients signing JWTs with %s are listed with their public keys (RFC 7523 §2.2)',
    async (alg) => {
      const { tenantId, send } = await connect(store, { role: 'admin', now: () => NOW })
      const { jwks } = await createSigningKey(alg)
      const client = { tenantId, name: 'mine', jwks }
      const created = await send('POST', '/api/clients', client)
      expect(created).toMatchObject({ status: 201, body: { ...client, secret: null } })
      const { body } = await send('GET', `/api/clients?tenantId=${tenantId}`)
      expect(body.clients).toMatchObject([client])
      const path = `/api/clients/${created.body.id}/rotate`
      const [{ kid: _, ...unnamed }] = jwks.keys
      const rotated = await send('POST', path, { jwks: { keys: [unnamed] } })
      expect(rotated.body.jwks).toEqual({ keys: [unnamed] })
      expect((await send('POST', path, {})).body.jwks).toBeNull()
    },
  )

  it('OAuth clients in the tenant default are listed without a tenant', async () => {
    expect(await admin.send('GET', '/api/clients')).toMatchObject({
      status: 200,
      body: { clients: [] },
    })
  })

  it.each([
    ['POST', '/api/clients', { tenantId: 'nowhere', name: 'a' }, 404],
    ['POST', '/api/clients/none/rotate', {}, 404],
    ['DELETE', '/api/clients/none', undefined, 404],
    ['GET', '/api/clients?tenantId=%27', undefined, 422],
    ['POST', '/api/clients', { name: '' }, 422],
    ['POST', '/api/clients', { name: 'a\0' }, 422],
    ['POST', '/api/clients', { name: 'a', profile: 'constructor' }, 422],
    ['POST', '/api/clients', { name: 'a', access: 'admin' }, 422],
    ['POST', '/api/clients', { name: 'a', tenantId: "' or 1=1" }, 422],
    ['POST', '/api/clients/a/rotate', { overlapSeconds: -1 }, 422],
    ['POST', '/api/clients/a/rotate', { overlapSeconds: 2_592_001 }, 422],
    ['POST', `/api/clients/${'a'.repeat(101)}/rotate`, {}, 422],
    ['DELETE', `/api/clients/${'a'.repeat(101)}`, undefined, 422],
  ])('OAuth clients are rejected: %s %s %j (%i)', async (method, path, body, status) => {
    expect(await admin.send(method, path, body)).toMatchObject({ status, body: { status } })
  })
})

describe('the token endpoint', () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = 'grant_type=client_credentials&client_id=a&client_secret=b'
  const ask = async (broken: Partial<Store>, init: RequestInit & { readonly duplex?: 'half' }) => {
    const { fetch } = createDirectory({
      store: { ...store, ...broken },
      apiMiddleware: recorder.middleware,
    })
    const response = await fetch(new Request(TOKEN_URL, { method: 'POST', headers, ...init }))
    return { status: response.status, type: response.headers.get('Content-Type') }
  }

  it.each([
    ['503 while the database is unavailable', new StoreUnavailableError('gone'), 503],
    ['500 for an internal error', new TypeError('a bug'), 500],
  ])('the token endpoint answers %s, as a problem', async (_, error, status) => {
    const type = 'application/problem+json'
    expect(await ask({ read: () => Promise.reject(error) }, { body })).toEqual({ status, type })
  })

  it('the token endpoint answers 400 to a body that is cut off, as a problem', async () => {
    const cut = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(body)),
      pull: (controller) => controller.error(new Error('the client hung up')),
    })
    const type = 'application/problem+json'
    expect(await ask({}, { body: cut, duplex: 'half' })).toEqual({ status: 400, type })
  })

  it('the token endpoint answers invalid_request to a request without a body (RFC 6749 §5.2)', async () => {
    expect(await ask({}, {})).toEqual({ status: 400, type: 'application/json' })
    expect(await ask({}, { headers: {} })).toEqual({ status: 400, type: 'application/json' })
  })
})
