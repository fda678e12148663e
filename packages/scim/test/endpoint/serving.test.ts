import { describe, expect, it } from 'vitest'
import { createScimEndpoint } from '../../src/lib/endpoint/endpoint.ts'
import { PROFILES } from '../../src/lib/endpoint/options/profiles.ts'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import type { ResourceStore } from '../../src/lib/endpoint/options/store.ts'
import { ScimError } from '../../src/lib/error.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import type { Definitions } from '../../src/lib/schema/types.ts'
import { BASE, type Client, patchOf, sender, serve, USER_DEFINITIONS } from './serve.ts'

describe('the locations of resources and documents (RFC 7643 §3.1)', () => {
  const origin = 'https://example.com'
  it.each<[string, object, string, string]>([
    ['without a path', { basePath: '' }, origin, origin],
    ['with a path', { basePath: '/a/b' }, `${origin}/a/b`, `${origin}/a/b`],
    ['with a path ending in a slash', { basePath: '/a/' }, `${origin}/a`, `${origin}/a`],
    [
      'with a path that depends on the request',
      { basePath: '/scim', base: 'https://id.example.org/v2/' },
      `${origin}/scim`,
      'https://id.example.org/v2',
    ],
    [
      'with a path that depends on the request',
      { basePath: ({ url }: Request) => `/${new URL(url).pathname.split('/')[1]}/v2/` },
      `${origin}/t1/v2`,
      `${origin}/t1/v2`,
    ],
    [
      'at a base that depends on the request',
      { base: ({ headers }: Request) => `https://${headers.get('X-Host')}/scim` },
      origin,
      'https://t1.example.org/scim',
    ],
  ])('locations start with the base for an endpoint %s', async (_, options, at, base) => {
    const store = memoryStore({ definitions: USER_DEFINITIONS })
    const type = { name: 'User', endpoint: '/Users', definitions: USER_DEFINITIONS, store }
    const { fetch } = createScimEndpoint({
      resourceTypes: [defineResourceType(type)],
      authenticate: async () => ({}),
      ...options,
    })
    const send = sender(fetch)
    const headers = { 'X-Host': 't1.example.org' }
    const { body } = await send('POST', `${at}/Users`, { userName: 'a' }, headers)
    expect(body.meta.location).toBe(`${base}/Users/${body.id}`)
    const types = await send('GET', `${at}/ResourceTypes/User`, undefined, headers)
    expect(types.body.meta.location).toBe(`${base}/ResourceTypes/User`)
    const below = at === origin ? [] : ['x/Users', 'Users']
    for (const path of [...below, '/x/Users', '', '/']) {
      expect((await send('GET', `${at}${path}`, undefined, headers)).status).toBe(404)
    }
  })

  it.each([
    ['/scim/v2', '/Users', 'below /scim/v2'],
    ['/scim/v2', '/scim/v2x/Users', 'below /scim/v2'],
    ['/scim/v2', '/scim/v2/scim/v2/Users', 'such as /scim/v2/Users'],
    ['/scim/v2', '/scim/v2', 'such as /scim/v2/Users'],
    ['', '/scim/v2/Users', 'such as /Users'],
    ['/scim/v2', `/${'x'.repeat(9_000)}`, 'below /scim/v2'],
  ])(
    'an endpoint at %j answers 404 for %s, and says which paths it expects',
    async (basePath, path, paths) => {
      const { send } = serve({ basePath })
      const { status, body } = await send('GET', `${new URL(BASE).origin}${path}`)
      expect(status).toBe(404)
      expect(body.detail).toBe(
        `no endpoint at ${path.slice(0, 100)}: this server expects paths ${paths}`,
      )
    },
  )

  it('an id is encoded in locations', async () => {
    const store = { ...memoryStore({ definitions: USER_DEFINITIONS }) }
    const users: ResourceStore = { ...store, read: async (id) => ({ id, userName: 'a' }) }
    const { send } = serve({ users })
    const { body } = await send('GET', '/Users/a%2Fb%20c')
    expect(body).toMatchObject({ id: 'a/b c', meta: { location: `${BASE}/Users/a%2Fb%20c` } })
  })
})

describe('a profile', () => {
  const namesake = { displayName: 'GUIDES' }
  it('the profile entra rejects a second group with the same name in any letter case, also two at the same time', async () => {
    const { send } = serve({ profile: ({ token }) => (token === 'e' ? 'entra' : 'standard') })
    const headers = { Authorization: 'Bearer e' }
    const both = await Promise.all([
      send('POST', '/Groups', { displayName: 'Guides' }, headers),
      send('POST', '/Groups', namesake, headers),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.body.scimType).toBe('uniqueness')
    // The rule belongs to the client and not to the group.
    const other = await send('POST', '/Groups', namesake)
    expect(other.status).toBe(201)
    const path = `/Groups/${other.body.id}`
    expect((await send('PUT', path, namesake, headers)).status).toBe(200)
    await send('PUT', path, { displayName: 'Pilots' }, headers)
    expect((await send('PUT', path, namesake, headers)).status).toBe(409)
    const rename = patchOf({ op: 'replace', path: 'displayName', value: 'guides' })
    expect((await send('PATCH', path, rename, headers)).status).toBe(409)
  })

  it('a profile decides which deviations are accepted (RFC 7644 §3.5.2)', async () => {
    const statuses = async (profile: keyof typeof PROFILES): Promise<number[]> => {
      const { send } = serve({ profile })
      const { body } = await send('POST', '/Users', { userName: 'a' })
      const path = `/Users/${body.id}`
      const operation = { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@x.com' }
      const sent = [
        await send('PATCH', path, patchOf(operation)),
        await send('PATCH', path, patchOf()),
        await send('PATCH', path, patchOf({ op: 'add', path: 'color', value: 'red' })),
        await send('GET', '/Users?filter=active eq "True"'),
      ]
      return sent.map(({ status }) => status)
    }
    expect(await statuses('standard')).toEqual([400, 400, 400, 400])
    expect(await statuses('entra')).toEqual([200, 200, 200, 200])
    expect(await statuses('okta')).toEqual([400, 400, 200, 200])
  })

  it('an application may define a profile', async () => {
    const profile = { ...PROFILES.standard, unique: { User: ['nickName'] } }
    const { send } = serve({ profile })
    await send('POST', '/Users', { userName: 'a', nickName: 'x' })
    expect((await send('POST', '/Users', { userName: 'b', nickName: 'X' })).status).toBe(409)
  })
})

describe('/Me (RFC 7644 §3.11)', () => {
  it("/Me returns the client's own resource", async () => {
    const { send } = serve({ me: { id: ({ token }) => (token === 't' ? null : token) } })
    const { body } = await send('POST', '/Users', { userName: 'me' })
    const headers = { Authorization: `Bearer ${body.id}` }
    expect((await send('GET', '/Me', undefined, headers)).body).toEqual(body)
    const patched = await send(
      'PATCH',
      '/Me',
      patchOf({ op: 'add', path: 'title', value: 'I' }),
      headers,
    )
    expect(patched.body).toMatchObject({
      id: body.id,
      title: 'I',
      meta: { location: body.meta.location },
    })
    expect(await send('GET', '/Me')).toMatchObject({
      status: 404,
      body: { detail: 'the client does not belong to a user' },
    })
  })
})

it('a transaction wraps a write with the reads, and the store receives its context', async () => {
  const log: string[] = []
  interface Context extends Client {
    readonly tx?: number
  }
  const memory = memoryStore({ definitions: USER_DEFINITIONS })
  const users: ResourceStore<Context> = {
    ...memory,
    read: async (id, { tx }, request) => {
      log.push(`read ${tx} ${request.isForUpdate}`)
      return await memory.read(id, {}, request)
    },
    replace: async (id, resource, { tx }, request) => {
      log.push(`replace ${tx}`)
      return await memory.replace(id, resource, {}, request)
    },
  }
  const { send } = serve({
    users,
    transaction: async (context, work) => {
      log.push('begin')
      const value = await work(Object.assign({ tx: 1 }, context))
      log.push('commit')
      return value
    },
  })
  const { body } = await send('POST', '/Users', { userName: 'a' })
  log.length = 0
  await send('PUT', `/Users/${body.id}`, { userName: 'b' })
  await send('GET', `/Users/${body.id}`)
  expect(log).toEqual(['begin', 'read 1 true', 'replace 1', 'commit', 'read undefined false'])
})

describe('a custom resource type with definitions', () => {
  const DEVICE = 'urn:example:2.0:Device'
  const RADIO = 'urn:example:2.0:Radio'
  const definitions: Definitions = {
    [DEVICE]: {
      id: DEVICE,
      name: 'Device',
      attributes: [
        {
          name: 'serial',
          type: 'string',
          required: true,
          mutability: 'immutable',
          uniqueness: 'server',
          caseExact: true,
        },
        { name: 'pin', type: 'string', required: true, mutability: 'writeOnly', returned: 'never' },
        { name: 'label', type: 'string' },
        {
          name: 'keys',
          type: 'complex',
          multiValued: true,
          subAttributes: [
            { name: 'value', type: 'string' },
            { name: 'secret', type: 'string', returned: 'never' },
          ],
        },
      ],
    },
    [RADIO]: {
      id: RADIO,
      name: 'Radio',
      attributes: [{ name: 'mac', type: 'string', uniqueness: 'server' }],
    },
  }
  const store = memoryStore({ definitions })
  const type = defineResourceType({ name: 'Device', endpoint: '/v1/Devices', definitions, store })
  const { fetch } = createScimEndpoint({
    basePath: '/',
    resourceTypes: [type],
    authenticate: async () => ({}),
  })
  const send = sender(fetch)
  const devices = 'https://example.com/v1/Devices'

  it('a custom resource is created, changed, searched and described', async () => {
    const sent = { serial: 'X1', pin: '1234', [RADIO]: { mac: 'aa:bb' } }
    const { status, body } = await send('POST', devices, sent)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      schemas: [DEVICE, RADIO],
      serial: 'X1',
      [RADIO]: { mac: 'aa:bb' },
    })
    expect(body).not.toHaveProperty('pin')
    const path = `${devices}/${body.id}`
    const patched = await send('PATCH', path, patchOf({ op: 'add', path: 'label', value: 'Lamp' }))
    expect(patched.body).toMatchObject({ label: 'Lamp', schemas: [DEVICE, RADIO] })
    const found = await send('GET', `${devices}?filter=${RADIO}:mac eq "AA:BB" and serial eq "X1"`)
    expect(found.body.totalResults).toBe(1)
    const other = { serial: 'x1', pin: '1', [RADIO]: { mac: 'AA:BB' } }
    expect((await send('POST', devices, other)).status).toBe(409)
    expect((await send('POST', devices, { serial: 'x1', pin: '1' })).status).toBe(201)
    const types = await send('GET', 'https://example.com/ResourceTypes/Device')
    expect(types.body).toMatchObject({ endpoint: '/v1/Devices', schema: DEVICE })
  })

  it.each(['pin eq "1"', 'keys.secret sw "a"', 'not (keys[value pr and secret co "a"])'])(
    'a custom resource cannot be searched by an attribute that is never returned: %s (RFC 7643 §7)',
    async (filter) => {
      expect(await send('GET', `${devices}?filter=${filter}`)).toMatchObject({
        status: 400,
        body: { scimType: 'invalidFilter' },
      })
    },
  )

  it('an immutable attribute is kept if a PUT omits it, and cannot change (RFC 7644 §3.5.1)', async () => {
    const { body } = await send('POST', devices, { serial: 'X2', pin: '1' })
    const path = `${devices}/${body.id}`
    expect(await send('PUT', path, { serial: 'X3', pin: '1' })).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    })
    expect((await send('PUT', path, { serial: 'X2', pin: '2', label: 'y' })).status).toBe(200)
  })
})

describe('limits', () => {
  it('a search beyond the allowed candidates is 400 tooMany, never a partial result', async () => {
    const { send } = serve({ limits: { candidates: 2 } })
    for (const userName of ['a', 'b', 'c']) await send('POST', '/Users', { userName })
    const searched = await send('GET', '/Users?filter=title pr')
    expect(searched).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    expect((await send('GET', '/Users?sortBy=userName')).status).toBe(400)
    expect((await send('GET', '/Users')).body.totalResults).toBe(3)
    expect((await send('GET', '/Users?filter=userName eq "A"')).body.totalResults).toBe(1)
  })

  it('a page ends before a resource exceeds the page size (RFC 7644 §3.4.2.4)', async () => {
    const { send } = serve({ limits: { page: 1_000 } })
    const title = 'x'.repeat(300)
    for (const userName of ['a', 'b', 'c', 'd']) await send('POST', '/Users', { userName, title })
    const first = await send('GET', '/Users')
    expect(first.body).toMatchObject({ totalResults: 4, itemsPerPage: 1 })
    const last = await send('GET', `/Users?startIndex=${1 + first.body.itemsPerPage}`)
    expect(last.body.Resources[0]?.userName).toBe('b')
  })

  it('a budget limits the work per request', async () => {
    const { send } = serve({ limits: { steps: 700 } })
    const emails = Array.from({ length: 60 }, (_, at) => ({ value: `${at}@x.com` }))
    await send('POST', '/Users', { userName: 'a', emails })
    const filter = Array.from({ length: 20 }, (_, at) => `emails.value co "z${at}"`).join(' or ')
    const { status, body } = await send('GET', `/Users?filter=${filter}`)
    expect({ status, type: body.scimType }).toEqual({ status: 400, type: 'tooMany' })
  })

  it('large responses count against each client until they are read', async () => {
    const title = 'x'.repeat(100_000)
    const { send, fetch } = serve({
      limits: { unreadByClient: 150_000, unread: 250_000 },
      client: ({ token }) => token,
    })
    const { body } = await send('POST', '/Users', { userName: 'a', title })
    const get = (token: string) =>
      fetch(
        new Request(`${BASE}/Users/${body.id}`, { headers: { Authorization: `Bearer ${token}` } }),
      )
    const first = await get('1')
    expect(first.status).toBe(200)
    const again = await get('1')
    expect([again.status, again.headers.get('Retry-After')]).toEqual([503, '5'])
    const other = await get('2')
    expect(other.status).toBe(200)
    expect((await get('3')).status).toBe(503)
    expect(await first.json()).toMatchObject({ title })
    await other.body?.cancel()
    expect((await get('1')).status).toBe(200)
  })
})

it('a challenge and a 503 from the application keep their headers (RFC 9110 §11.6.1, §10.2.3)', async () => {
  const { send } = serve({ authenticate: async () => null, challenge: 'Basic realm="SCIM"' })
  expect((await send('GET', '/Users')).headers.get('WWW-Authenticate')).toBe('Basic realm="SCIM"')
  const busy = serve({ authenticate: async () => Promise.reject(new ScimError(503, 'starting')) })
  expect((await busy.send('GET', '/Users')).headers.get('Retry-After')).toBe('5')
})

describe('an endpoint mounted without an adapter, or behind a parser', () => {
  const message =
    'fetch must receive a Request: mount it with an adapter, such as getRequestListener(scim.fetch) of @hono/node-server'
  const incoming = { method: 'GET', url: '/Users', headers: { host: 'localhost' } }
  const mounted = () => {
    const errors: unknown[] = []
    const { fetch } = serve({ onError: (error) => errors.push(String(error)) })
    return { call: fetch as (...values: readonly unknown[]) => Promise<Response>, errors }
  }

  it('an error is passed to next, as app.use in Express calls it', async () => {
    const passed: unknown[] = []
    await mounted().call(incoming, {}, (error: unknown) => passed.push(error))
    expect(passed).toEqual([new TypeError(message)])
  })

  it.each([[[]], [[{}]], [[() => undefined]]])('fetch rejects without next: %j', async (rest) => {
    await expect(mounted().call(incoming, ...rest)).rejects.toThrow(message)
  })

  it('if node:http has read the body, the answer is a 500 with the place to mount the endpoint', async () => {
    const { call, errors } = mounted()
    const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' }
    const send = (adapter: unknown, body = '') =>
      call(new Request(`${BASE}/Users`, { method: 'POST', headers, body }), adapter)
    expect((await send({ incoming: { readableDidRead: true } })).status).toBe(500)
    expect(errors).toEqual([
      'TypeError: the body was read by another middleware: mount the endpoint before express.json() and other parsers',
    ])
    // The host keeps the bytes.
    const kept = { readableDidRead: true, rawBody: new Uint8Array() }
    for (const adapter of [{ incoming: kept }, { incoming: { readableDidRead: false } }, 5]) {
      expect((await send(adapter)).status).toBe(400)
    }
    // A middleware has read a clone of the request.
    const cloned = await send({ incoming: { readableDidRead: true } }, '{"userName":"ada"}')
    expect(cloned.status).toBe(201)
    expect(errors).toHaveLength(1)
  })
})
