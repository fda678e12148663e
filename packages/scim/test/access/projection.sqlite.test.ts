import { type Access, projection } from '@plumbline/scim/access'
import { createScimEndpoint } from '@plumbline/scim/endpoint'
import { expect, it } from 'vitest'
import { patchOf, sender } from '../../src/lib/endpoint/testing/serve.ts'
import { openStores } from '../sql/contract-suite.ts'
import { SQLITE } from '../sql/openers.ts'
import type { Client } from '../sql/teams.ts'

it('roles follow the groups of sqlStore, and a write whose role cannot be stored is undone', async () => {
  const stored = new Map<string, Access<string, string>>()
  let isFull = false
  const access = projection<Client, string, string>({
    link: { attribute: 'userName', find: () => null, create: ({ userName }) => String(userName) },
    roles: { 'displayName:finance': 'billing' },
    read: (user) => stored.get(user) ?? null,
    apply: ({ user, isDeleted, ...rest }) => {
      if (isFull) throw new Error('the table of roles is full')
      if (isDeleted) stored.delete(user)
      else stored.set(user, rest)
    },
  })
  const { resourceTypes, transaction, context, close } = await openStores(SQLITE)
  const endpoint = createScimEndpoint<Client>({
    basePath: '/scim/v2',
    resourceTypes,
    transaction,
    authenticate: async () => context,
    onChange: access.onChange,
  })
  const send = sender(endpoint.fetch)
  // The keys of both tables start at 1: the user and the group have the same id.
  const { body: user } = await send('POST', '/Users', { userName: 'ada@example.com' })
  const { body: group } = await send('POST', '/Groups', { displayName: 'finance' })
  const add = patchOf({ op: 'add', path: 'members', value: [{ value: user.id }] })
  isFull = true
  expect((await send('PATCH', `/Groups/${group.id}`, add)).status).toBe(500)
  expect((await send('GET', `/Groups/${group.id}`)).body).not.toHaveProperty('members')
  isFull = false
  expect((await send('PATCH', `/Groups/${group.id}`, add)).status).toBe(204)
  expect(await access.explain(user.id, context)).toMatchObject([
    { role: 'billing', because: { group: group.id } },
  ])
  stored.clear()
  expect(await access.reconcile(endpoint, context)).toEqual({ checked: 1, repaired: [user.id] })
  await send('DELETE', `/Users/${user.id}`)
  expect(stored.size).toBe(0)
  await close()
})
