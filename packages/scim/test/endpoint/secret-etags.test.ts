import { describe, expect, it } from 'vitest'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import type { ResourceStore, WireResource } from '../../src/lib/endpoint/options/store.ts'
import { version } from '../../src/lib/resource/version.ts'
import { type Client, serve, USER_DEFINITIONS } from './serve.ts'

// RFC 7643 §7: the value of an attribute that is never returned must not be known to clients.

const URN = 'urn:example:Badge'
const common = { type: 'string', multiValued: false, required: false } as const
const part = { ...common, name: 'color' }
const pin = { ...common, name: 'pin', returned: 'never' } as const
const DEFINITIONS = {
  ...USER_DEFINITIONS,
  [URN]: {
    id: URN,
    name: 'Badge',
    attributes: [
      part,
      pin,
      { ...common, name: 'answer', mutability: 'writeOnly' },
      { ...common, name: 'badge', type: 'complex', subAttributes: [part, pin] },
      { ...common, name: 'doors', type: 'complex', multiValued: true, subAttributes: [part, pin] },
      {
        ...common,
        name: 'keys',
        type: 'complex',
        mutability: 'readOnly',
        subAttributes: [part, pin],
      },
      { ...common, name: 'onRequest', returned: 'request' },
    ],
  },
} as const

const PLAIN = {
  userName: 'a',
  [URN]: { color: 'red', onRequest: 'x', badge: { color: 'red' }, doors: [{ color: 'red' }] },
}
/** Resources that differ from PLAIN only in a value that is never returned. */
const WITH_SECRETS: Readonly<Record<string, (secret: string) => object>> = {
  password: (secret) => ({ ...PLAIN, password: secret }),
  pin: (secret) => ({ ...PLAIN, [URN]: { ...PLAIN[URN], pin: secret } }),
  answer: (secret) => ({ ...PLAIN, [URN]: { ...PLAIN[URN], answer: secret } }),
  'badge.pin': (secret) => ({
    ...PLAIN,
    [URN]: { ...PLAIN[URN], badge: { color: 'red', pin: secret } },
  }),
  'doors.pin': (secret) => ({
    ...PLAIN,
    [URN]: { ...PLAIN[URN], doors: [{ color: 'red', pin: secret }] },
  }),
}

describe.each(Object.entries(WITH_SECRETS))("a user's tag with a secret %s", (_, userWith) => {
  it('the tag is the same for every secret in every answer, if the store sets no version', async () => {
    const tags = []
    for (const secret of ['hunter2', 'hunter3']) {
      const { send } = serve(withUsers(fiveFunctions()))
      const created = await send('POST', '/Users', userWith(secret))
      const path = `/Users/${created.body.id}`
      const answers = [created, await send('GET', path), await send('PUT', path, userWith(secret))]
      const list = await send('GET', '/Users')
      const bulk = await send('POST', '/Bulk', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [{ method: 'PUT', path, data: userWith(secret) }],
      })
      tags.push([
        ...answers.flatMap(({ headers, body }) => [headers.get('ETag'), body.meta.version]),
        list.body.Resources.map(({ meta }) => meta.version),
        bulk.body.Operations.map(({ version: tag }) => tag),
      ])
    }
    expect(tags[1]).toEqual(tags[0])
  })

  it('the tag is the same for every secret in `version` with definitions', async () => {
    const tagOf = async (secret: string) =>
      await version(userWith(secret), { definitions: DEFINITIONS })
    expect(await tagOf('hunter2')).toBe(await tagOf('hunter3'))
    expect(await tagOf('hunter2')).toBe(await version(PLAIN, { definitions: DEFINITIONS }))
  })
})

it('changing an on-request attribute changes the tag', async () => {
  const changed = { ...PLAIN, [URN]: { ...PLAIN[URN], onRequest: 'y' } }
  const options = { definitions: DEFINITIONS }
  expect(await version(changed, options)).not.toBe(await version(PLAIN, options))
})

it('the read-only digest ignores never returned parts', async () => {
  const tags = []
  for (const secret of ['hunter2', 'hunter3']) {
    const keys = { color: 'red', pin: secret }
    const users = fiveFunctions((user) => ({ ...user, [URN]: { keys } }))
    const { send } = serve(withUsers(users))
    const { body } = await send('POST', '/Users', { userName: 'a' })
    tags.push((await send('GET', `/Users/${body.id}`)).body.meta.version)
  }
  expect(tags[0]).toMatch(/-[0-9a-f]{16}"$/)
  expect(tags[1]).toBe(tags[0])
})

it('changing a secret changes the tag if the store sets versions, as memoryStore does', async () => {
  const { send } = serve()
  const { body } = await send('POST', '/Users', { userName: 'a', password: 'hunter2' })
  const path = `/Users/${body.id}`
  const { body: changed } = await send('PUT', path, { userName: 'a', password: 'hunter3' })
  expect(changed.meta.version).not.toBe(body.meta.version)
  const conditions = { 'If-Match': body.meta.version }
  expect((await send('PUT', path, { userName: 'a' }, conditions)).status).toBe(412)
})

it('`version` without definitions ignores a password', async () => {
  expect(await version({ ...PLAIN, password: 'hunter2' })).toBe(await version(PLAIN))
})

function withUsers(users: ResourceStore<Client>) {
  const user = { name: 'User', endpoint: '/Users', definitions: DEFINITIONS, store: users }
  return { resourceTypes: [defineResourceType(user)] }
}

/** A store that keeps and returns everything, and does not set a version. */
function fiveFunctions(
  shown: (user: WireResource) => WireResource = (user) => user,
): ResourceStore<Client> {
  const stored = new Map<string, WireResource>()
  const put = (id: string, resource: WireResource): WireResource => {
    stored.set(id, { ...resource, id })
    return shown({ ...resource, id })
  }
  return {
    read: async (id) => {
      const user = stored.get(id)
      return user === undefined ? null : shown(user)
    },
    list: async () => ({ resources: [...stored.values()].map(shown) }),
    create: async (resource) => put('1', resource),
    replace: async (id, resource) => put(id, resource),
    delete: async (id) => stored.delete(id),
  }
}
