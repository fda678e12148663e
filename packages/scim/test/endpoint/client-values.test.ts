import { describe, expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '../../src/lib/constants.ts'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import type { ResourceStore, WireResource } from '../../src/lib/endpoint/options/store.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { USER_DEFINITION } from '../../src/lib/schema/core-schemas.ts'
import type { Definitions } from '../../src/lib/schema/types.ts'
import { type Client, patchOf, serve } from './serve.ts'

const HR = 'urn:example:hr:2.0:User'
const definitions: Definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [HR]: {
    id: HR,
    name: 'HR',
    attributes: [
      { name: 'badge', type: 'string', required: true },
      { name: 'number', type: 'integer' },
      { name: 'sites', type: 'string', multiValued: true },
    ],
  },
}
const types = (store: ResourceStore<Client>) => ({
  resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
})
const serveUsers = () => serve(types(memoryStore({ definitions })))
const hr = { badge: 'b1', number: 7 }

describe('an optional extension with a required attribute (RFC 7643 §6)', () => {
  it.each<[string, object]>([
    ['a remove', { op: 'remove', path: HR }],
    ['null at its path', { op: 'replace', path: HR, value: null }],
    ['null without a path', { op: 'replace', value: { [HR]: null } }],
  ])('an optional extension is removed by %s', async (_, operation) => {
    const { send } = serveUsers()
    const { body } = await send('POST', '/Users', { userName: 'a', [HR]: hr })
    const patched = await send('PATCH', `/Users/${body.id}`, patchOf(operation))
    expect(patched.status).toBe(200)
    expect(patched.body).not.toHaveProperty([HR])
    expect(patched.body.schemas).toEqual([USER_SCHEMA])
  })

  it('an optional extension keeps the required attribute as long as it is present', async () => {
    const { send } = serveUsers()
    const { body } = await send('POST', '/Users', { userName: 'a', [HR]: hr })
    const removal = patchOf({ op: 'remove', path: `${HR}:badge` })
    expect(await send('PATCH', `/Users/${body.id}`, removal)).toMatchObject({
      status: 400,
      body: { scimType: 'mutability', detail: expect.stringContaining(`${HR}:badge is required`) },
    })
  })

  // RFC 7644 §3.5.2.3: sub-attributes that are not specified are left unchanged.
  it('a replace with an empty object leaves the extension unchanged, as for a complex attribute', async () => {
    const { send } = serveUsers()
    const name = { familyName: 'J' }
    const { body } = await send('POST', '/Users', { userName: 'a', name, [HR]: hr })
    const empty = patchOf(
      { op: 'replace', path: HR, value: {} },
      { op: 'replace', path: 'name', value: {} },
    )
    expect((await send('PATCH', `/Users/${body.id}`, empty)).body).toEqual(body)
  })
})

describe("a PATCH with a user's own meta (RFC 7644 §3.5.2)", () => {
  const open = async () => {
    const store = memoryStore({ definitions })
    // The version of the answers is a digest.
    const without = (found: unknown): WireResource | null => {
      if (found === null) return null
      const { meta: _, ...resource } = Object(found)
      return resource
    }
    const served = serve(
      types({
        ...store,
        read: async (...all) => without(await store.read(...all)),
        replace: async (...all) => without(await store.replace(...all)),
      }),
    )
    const { body } = await served.send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${body.id}`
    const patch = (...operations: readonly object[]) =>
      served.send('PATCH', path, patchOf(...operations))
    return { patch, read: async () => (await served.send('GET', path)).body }
  }

  it.each<[string, (user: WireResource) => object]>([
    ['the whole user', (user) => ({ value: user })],
    ['JSON text', (user) => ({ value: JSON.stringify(user) })],
    ['a path', ({ meta }) => ({ path: 'meta', value: meta })],
    ['a key that is a path', ({ meta }) => ({ value: { 'meta.version': Object(meta).version } })],
  ])('a PATCH may send an unchanged version as %s', async (_, operationOf) => {
    const { patch, read } = await open()
    const title = { op: 'replace', path: 'title', value: 'T' }
    const { status, body } = await patch({ op: 'replace', ...operationOf(await read()) }, title)
    expect([status, body.title]).toEqual([200, 'T'])
    expect(body.meta.version).toBe((await read()).meta.version)
  })

  it('a PATCH with an earlier version is rejected', async () => {
    const { patch, read } = await open()
    const { meta } = await read()
    await patch({ op: 'replace', path: 'title', value: 'T' })
    expect(await patch({ op: 'replace', value: { meta } })).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    })
  })
})

describe('a user stored before values were checked', () => {
  const old: WireResource = {
    id: '1',
    userName: ' ',
    x509Certificates: [{ value: '%HELLO%' }],
    [HR]: { badge: 'b1', number: 2 ** 60 },
  }
  const serveOld = () => {
    let stored = old
    const store: ResourceStore<Client> = {
      ...memoryStore({ definitions }),
      read: async () => stored,
      list: async () => ({ resources: [stored] }),
      replace: async (_, resource) => {
        stored = { ...resource, id: '1' }
        return stored
      },
    }
    return serve(types(store))
  }

  it('a user with an invalid stored value is read, found, and changed with a PATCH to another attribute', async () => {
    const { send } = serveOld()
    expect(await send('GET', '/Users/1')).toMatchObject({ status: 200, body: old })
    const operation = { op: 'replace', path: 'title', value: 'T' }
    expect(await send('PATCH', '/Users/1', patchOf(operation))).toMatchObject({
      status: 200,
      body: { ...old, title: 'T' },
    })
    const { body } = await send('GET', '/Users?filter=title%20eq%20%22T%22')
    expect(body.Resources).toHaveLength(1)
  })

  it('a stored invalid value is checked when a PUT sends it again', async () => {
    const { send } = serveOld()
    const expected = { status: 400, body: { scimType: 'invalidValue' } }
    expect(await send('PUT', '/Users/1', old)).toMatchObject(expected)
  })
})

it('core attributes below their URN are read alike in POST, PUT, PATCH and Bulk', async () => {
  const { send } = serveUsers()
  const sent = { schemas: [USER_SCHEMA], userName: 'a', [USER_SCHEMA]: { title: 'K' } }
  const { body } = await send('POST', '/Users', sent)
  expect(body).toMatchObject({ userName: 'a', title: 'K' })
  expect(body).not.toHaveProperty([USER_SCHEMA])
  const path = `/Users/${body.id}`
  expect((await send('PUT', path, { ...sent, [USER_SCHEMA]: { title: 'L' } })).body.title).toBe('L')
  const operation = { op: 'replace', value: { [USER_SCHEMA]: { title: 'M' } } }
  expect((await send('PATCH', path, patchOf(operation))).body.title).toBe('M')
  expect(await send('PUT', path, { ...sent, title: 'N' })).toMatchObject({
    status: 400,
    body: { scimType: 'invalidValue', detail: `${USER_SCHEMA}:title differs from title` },
  })
  expect((await send('GET', path)).body.title).toBe('M')
})

it('references in a Bulk are resolved below the core URN and in JSON text (RFC 7644 §3.7.2)', async () => {
  const { send } = serve()
  const post = (path: string, bulkId: string, data: object) => ({
    method: 'POST',
    path,
    bulkId,
    data,
  })
  const members = [{ value: 'bulkId:a' }]
  const patch = (value: unknown, path?: string) => ({
    method: 'PATCH',
    path: '/Groups/bulkId:h',
    data: patchOf({ op: 'add', path, value }),
  })
  const { body } = await send('POST', '/Bulk', {
    schemas: [BULK_REQUEST_SCHEMA],
    Operations: [
      post('/Groups', 'g', { [GROUP_SCHEMA]: { displayName: 'G', members } }),
      post('/Groups', 'h', { displayName: 'H' }),
      post('/Users', 'a', { userName: 'a' }),
      patch(JSON.stringify(members), 'members'),
      patch(JSON.stringify({ members: [{ value: 'bulkId:b' }] })),
      post('/Users', 'b', { userName: 'b' }),
    ],
  })
  const statuses = body.Operations.map(({ status }) => status)
  expect(statuses).toEqual(['201', '201', '201', '200', '200', '201'])
  const groups = await send('GET', '/Groups?sortBy=displayName')
  expect(groups.body.Resources.map((group) => group.members.length)).toEqual([1, 2])
})

it("every form in which Entra ID sends a custom attribute's values is read", async () => {
  const { send } = serveUsers()
  const sites = [{ value: '1' }, { value: '2' }]
  const sent = { userName: 'a', [HR]: { badge: 'b', number: '12', sites } }
  const expected = { [HR]: { badge: 'b', number: 12, sites: ['1', '2'] } }
  const { body } = await send('POST', '/Users', sent)
  expect(body).toMatchObject(expected)
  const path = `/Users/${body.id}`
  expect((await send('PUT', path, sent)).body).toMatchObject(expected)
  const operations = [
    { op: 'Add', path: `${HR}:sites`, value: [{ value: '3' }] },
    { op: 'Replace', path: `${HR}:number`, value: '13' },
    { op: 'Replace', path: 'title', value: [{ $ref: null, value: 'T' }] },
  ]
  expect((await send('PATCH', path, patchOf(...operations))).body).toMatchObject({
    title: 'T',
    [HR]: { number: 13, sites: ['1', '2', '3'] },
  })
})

it.each([
  [
    'GET',
    '/Users?filter=urn:example:hr:2.0:User:number%20eq%209007199254740993',
    undefined,
    'invalidFilter',
  ],
  [
    'POST',
    '/Users',
    `{"userName":"a","${HR}":{"badge":"b","number":9223372036854775807}}`,
    'invalidValue',
  ],
  ['POST', '/Users', { userName: 'a', x509Certificates: [{ value: '%HELLO%' }] }, 'invalidValue'],
])('%s rejects a value that could not be kept: %s', async (method, path, body, scimType) => {
  const { send } = serveUsers()
  expect(await send(method, path, body)).toMatchObject({ status: 400, body: { scimType } })
})
