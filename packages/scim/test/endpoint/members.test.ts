import { describe, expect, it } from 'vitest'
import type { ResourceStore, WireResource } from '../../src/lib/endpoint/options/store.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import type { MembershipPlan } from '../../src/lib/patch/membership-plan.ts'
import { type Client, GROUP_DEFINITIONS, patchOf, serve } from './serve.ts'

/** A store of one group, which records what it is asked for. */
function storeOfMembers(profile: 'standard' | 'okta' = 'standard') {
  const members = new Set(['u1', 'u2'])
  const log: unknown[] = []
  const searched: unknown[] = []
  let group: WireResource = { id: 'g', displayName: 'Guides', meta: { version: 'W/"1"' } }
  const change = ({ add, remove, replace }: MembershipPlan): void => {
    if (replace !== null) members.clear()
    for (const { value } of replace ?? add) members.add(value)
    for (const value of remove) members.delete(value)
  }
  const store: ResourceStore<Client> = {
    ...memoryStore({ definitions: GROUP_DEFINITIONS }),
    read: async (id, _, { view, isForUpdate }) => {
      log.push(['read', view.needs('members'), isForUpdate])
      if (id !== 'g') return null
      return view.needs('members')
        ? { ...group, members: [...members].map((value) => ({ value })) }
        : group
    },
    replace: async (_id, resource, _context, { current }) => {
      log.push(['replace', resource, current])
      return { ...resource, id: 'g', meta: { version: 'W/"2"' } }
    },
    changeMembers: async (_id, plan, _context, { resource }) => {
      change(plan)
      log.push(['change', resource])
      const { schemas: _, ...attributes } = resource
      group = { ...group, ...attributes }
      return true
    },
    findMembers: async (_id, values) => {
      searched.push(values)
      return values.filter((value) => members.has(value))
    },
  }
  return { ...serve({ groups: store, profile }), members, log, searched }
}

describe('a PATCH of a group in a store that changes members without loading them (RFC 7644 §3.5.2)', () => {
  it('a PATCH of members does not read the members, and answers 204', async () => {
    const { send, members, log } = storeOfMembers()
    const patch = patchOf(
      { op: 'add', path: 'members', value: [{ value: 'u3' }] },
      { op: 'remove', path: 'members[value eq "u1"]' },
      { op: 'replace', path: 'displayName', value: 'Pilots' },
    )
    expect(await send('PATCH', '/Groups/g', patch)).toMatchObject({ status: 204, body: undefined })
    expect([...members]).toEqual(['u2', 'u3'])
    expect(log).toEqual([
      ['read', false, true],
      ['change', { schemas: expect.anything(), displayName: 'Pilots' }],
    ])
  })

  it('a PATCH of members answers with the attributes the client names', async () => {
    const { send } = storeOfMembers()
    const patch = patchOf({ op: 'replace', path: 'members', value: [{ value: 'u9' }] })
    const { status, body } = await send('PATCH', '/Groups/g?attributes=members', patch)
    expect(status).toBe(200)
    expect(body.members).toEqual([{ value: 'u9' }])
  })

  it('removing a value that is not a member is rejected, unless the profile accepts it', async () => {
    const patch = patchOf({ op: 'remove', path: 'members[value eq "u7"]' })
    const { send, members } = storeOfMembers()
    expect(await send('PATCH', '/Groups/g', patch)).toMatchObject({
      status: 400,
      body: { scimType: 'noTarget' },
    })
    expect(members.size).toBe(2)
    expect((await storeOfMembers('okta').send('PATCH', '/Groups/g', patch)).status).toBe(204)
  })

  it('members matching a filter are removed, if each filter matches at least one', async () => {
    const either = { op: 'remove', path: 'members[value eq "u1" or value eq "u7"]' }
    const none = { op: 'remove', path: 'members[value eq "u8"]' }
    const { send, members } = storeOfMembers()
    expect((await send('PATCH', '/Groups/g', patchOf(either, none))).status).toBe(400)
    expect([...members]).toEqual(['u1', 'u2'])
    expect((await send('PATCH', '/Groups/g', patchOf(either))).status).toBe(204)
    expect([...members]).toEqual(['u2'])
  })

  it('only members required to exist are searched', async () => {
    const { send, searched } = storeOfMembers()
    const add = { op: 'add', path: 'members', value: [{ value: 'u3' }] }
    await send('PATCH', '/Groups/g', patchOf(add))
    expect(searched).toEqual([])
    await send('PATCH', '/Groups/g', patchOf({ op: 'remove', path: 'members[value eq "u3"]' }))
    expect(searched).toEqual([['u3']])
  })

  it('preconditions and existence are checked', async () => {
    const { send, members } = storeOfMembers()
    const patch = patchOf({ op: 'add', path: 'members', value: [{ value: 'u3' }] })
    expect((await send('PATCH', '/Groups/g', patch, { 'If-Match': 'W/"0"' })).status).toBe(412)
    expect((await send('PATCH', '/Groups/h', patch)).status).toBe(404)
    expect(members.size).toBe(2)
    expect((await send('PATCH', '/Groups/g', patch, { 'If-Match': 'W/"1"' })).status).toBe(204)
  })

  it("an error names the operation's position in the request", async () => {
    const { send } = storeOfMembers()
    const patch = patchOf(
      { op: 'add', path: 'members', value: [{ value: 'u3' }] },
      { op: 'remove', path: 'displayName' },
    )
    const { body } = await send('PATCH', '/Groups/g', patch)
    expect(body.detail).toMatch(/^Operations\[1\]: /)
  })

  it('the whole group is read if nothing less can decide', async () => {
    const { send, log } = storeOfMembers()
    const patch = patchOf({ op: 'remove', path: 'members[display eq "x"]' })
    await send('PATCH', '/Groups/g', patch)
    expect(log[0]).toEqual(['read', true, true])
  })
})

it('a PUT to a large group does not read the members (RFC 7644 §3.5.1)', async () => {
  const { send, log } = storeOfMembers()
  expect((await send('PUT', '/Groups/g', { displayName: 'x' })).status).toBe(200)
  expect(log[0]).toEqual(['read', false, true])
})
