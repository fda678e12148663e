import { sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import { deleteOldChanges } from '../../src/features/changes/feed.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { cursorAt, numberIn } from '../support/cursors.ts'
import { type Body, type Client, connect } from '../support/harness.ts'
import { readRuns } from '../support/provider-runs/provider-runs.ts'
import { patch } from '../support/two-processes.ts'
import { watchStatements } from '../support/watch-statements.ts'

const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

/** Connections whose changes wait, on every store. */
export function holdContract(storeOf: () => Store): void {
  let time = Date.now()
  const now = () => time
  const connected = () => connect(storeOf(), { role: 'admin', now })
  const pathOf = ({ tenantId }: Client) => `/api/tenants/${tenantId}/connection`
  const changesOf = async (client: Client, after = 0): Promise<readonly Body[]> => {
    const path = `/api/tenants/${client.tenantId}/changes?count=1000&after=${await cursorAt(client, after)}`
    const { status, body } = await client.send('GET', path)
    expect(status).toBe(200)
    return body.changes ?? []
  }
  const kindsOf = async (client: Client, after = 0) =>
    (await changesOf(client, after)).map(({ type }) => String(type))
  const fill = async (client: Client, count: number, extra: object = {}) => {
    const Operations = Array.from({ length: count }, (_, at) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `u${at}`,
      data: { userName: `user-${at}`, active: true, ...extra },
    }))
    const { body } = await client.send('POST', '/Bulk', { schemas: [BULK], Operations })
    return (body.Operations ?? []).map(({ location }) => String(location).split('/').at(-1) ?? '')
  }
  const deactivate = (client: Client, id: string) =>
    client.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))
  const connectionOf = async (client: Client) => (await client.send('GET', pathOf(client))).body
  const exactly = (count: number) => ({ count, isExact: true })
  it('one deactivation is visible after 30 seconds, and the changes after it wait as well', async () => {
    const client = await connected()
    const [ada = ''] = await fill(client, 1)
    await deactivate(client, ada)
    await client.send('POST', '/Users', { userName: 'later' })
    expect(await kindsOf(client)).toEqual(['user.created'])
    time += 31_000
    expect(await kindsOf(client)).toEqual(['user.created', 'user.deactivated', 'user.created'])
    expect(await connectionOf(client)).toMatchObject({ state: 'active', hold: null })
  })

  it('delayed changes are shown as waiting, and a release does not delay them any more', async () => {
    const client = await connected()
    const [ada = ''] = await fill(client, 1)
    await deactivate(client, ada)
    await client.send('POST', '/Users', { userName: 'later' })
    const waiting = { after: await cursorAt(client, 1), changes: { count: 2, isExact: true } }
    expect(await connectionOf(client)).toMatchObject({ state: 'active', waiting })
    await client.send('PATCH', pathOf(client), { state: 'paused' })
    expect(await kindsOf(client)).toEqual(['user.created'])
    await client.send('PATCH', pathOf(client), { state: 'active' })
    expect(await kindsOf(client)).toEqual(['user.created', 'user.deactivated', 'user.created'])
    const none = { after: await cursorAt(client, 3), changes: { count: 0, isExact: true } }
    expect((await connectionOf(client)).waiting).toMatchObject(none)
  })

  it.each([
    ['50 seconds ahead waits at most that much longer', 50, [false, false, true]],
    ['50 seconds behind is visible early', -50, [true, true, true]],
    ['a day ahead is visible immediately', 86_400, [true, true, true]],
  ])('a deactivation on a host whose clock is %s', async (_, difference, expected) => {
    const client = await connected()
    const [ada = ''] = await fill(client, 1)
    time += difference * 1_000
    await deactivate(client, ada)
    time -= difference * 1_000
    const seen: boolean[] = []
    for (const passed of [0, 31_000, 50_000]) {
      time += passed
      seen.push((await kindsOf(client)).includes('user.deactivated'))
    }
    expect(seen).toEqual(expected)
  })

  it('a deactivation is visible immediately if the rule does not delay it', async () => {
    const client = await connected()
    const [ada = ''] = await fill(client, 1)
    const changed = await client.send('PATCH', pathOf(client), { rule: { delay: 0 } })
    expect(changed.body.rule).toMatchObject({ delay: 0, percent: 20, least: 10, minutes: 10 })
    await deactivate(client, ada)
    expect(await kindsOf(client)).toEqual(['user.created', 'user.deactivated'])
  })

  it('deactivating more than 20 % of the users is held before a consumer sees the first', async () => {
    const client = await connected()
    const users = await fill(client, 100)
    for (const id of users.slice(0, 20)) await deactivate(client, id)
    expect((await connectionOf(client)).state).toBe('active')
    const last = await client.send('DELETE', `/Users/${users[20]}`)
    const held = await connectionOf(client)
    expect(held).toMatchObject({
      state: 'held',
      hold: { reason: 'users', requestId: last.headers.get('X-Request-Id'), groupId: null },
      waiting: {
        after: await cursorAt(client, 100),
        changes: { count: 21, isExact: true },
        users: exactly(21),
        deleted: exactly(1),
      },
    })
    expect(held.waiting?.tokenIds).toHaveLength(1)
    const ruled = await client.send('PATCH', pathOf(client), { rule: { percent: 90 } })
    expect(ruled.body).toMatchObject({ state: 'held', rule: { percent: 90, least: 10 } })
    for (const id of users.slice(21, 60)) await deactivate(client, id)
    time += 3_600_000
    expect(await kindsOf(client, 100)).toEqual([])
    expect((await client.send('GET', '/Users?filter=active eq false')).body.totalResults).toBe(59)
    const patched = await client.send('PATCH', pathOf(client), { state: 'active' })
    expect([patched.status, patched.body.detail]).toEqual([
      409,
      'The changes are held. POST …/connection/release releases them.',
    ])
    expect((await connectionOf(client)).state).toBe('held')
    expect((await client.send('POST', `${pathOf(client)}/release`)).status).toBe(204)
    expect(await kindsOf(client, 100)).toEqual(
      Array.from({ length: 60 }, (_, at) => (at === 20 ? 'user.deleted' : 'user.deactivated')),
    )
    // The released changes do not count again.
    await deactivate(client, users[61] ?? '')
    expect((await connectionOf(client)).state).toBe('active')
  })

  it('the state active on an active connection changes nothing, also not what the rule has counted', async () => {
    const client = await connected()
    const users = await fill(client, 100)
    for (const id of users.slice(0, 20)) {
      await deactivate(client, id)
      const { status } = await client.send('PATCH', pathOf(client), { state: 'active' })
      expect(status).toBe(200)
      time += 1_000
    }
    await deactivate(client, users[20] ?? '')
    expect((await connectionOf(client)).state).toBe('held')
  })

  it.each(['paused', 'review'])(
    'a mass deactivation while the connection is %s is held when it becomes active',
    async (state) => {
      const client = await connected()
      const users = await fill(client, 100)
      await client.send('PATCH', pathOf(client), { state })
      for (const id of users.slice(0, 20)) {
        await deactivate(client, id)
        time += 3_600_000
      }
      const resumed = await client.send('PATCH', pathOf(client), { state: 'active' })
      expect(resumed.body).toMatchObject({ state: 'active', waiting: { changes: { count: 0 } } })
      await client.send('PATCH', pathOf(client), { state })
      for (const id of users.slice(20, 41)) await deactivate(client, id)
      const last = await client.send('DELETE', `/Users/${users[41]}`)
      const held = await client.send('PATCH', pathOf(client), { state: 'active' })
      expect(held).toMatchObject({
        status: 200,
        body: {
          state: 'held',
          hold: { reason: 'users', requestId: last.headers.get('X-Request-Id') },
          waiting: { users: exactly(22) },
        },
      })
      time += 60_000
      expect(await kindsOf(client, 120)).toEqual([])
      // A pause does not get around the hold.
      await client.send('PATCH', pathOf(client), { state: 'paused' })
      await client.send('PATCH', pathOf(client), { state: 'active' })
      expect((await connectionOf(client)).state).toBe('held')
      expect((await client.send('POST', `${pathOf(client)}/release`)).status).toBe(204)
      expect(await kindsOf(client, 120)).toHaveLength(22)
    },
  )

  describe('a protected group without an active user', () => {
    const setUp = async () => {
      const client = await connected()
      const users = await fill(client, 5)
      const group = async (displayName: string, ids: readonly string[]) => {
        const members = ids.map((value) => ({ value }))
        const { body } = await client.send('POST', '/Groups', { displayName, members })
        return String(body.id)
      }
      const protect = (...protectedGroups: string[]) =>
        client.send('PATCH', pathOf(client), { rule: { protectedGroups } })
      const replace = (id: string, ids: readonly string[]) => {
        const value = ids.map((member) => ({ value: member }))
        return client.send(
          'PATCH',
          `/Groups/${id}`,
          patch({ op: 'replace', path: 'members', value }),
        )
      }
      const state = async () => {
        const { state, hold } = await connectionOf(client)
        return [state, hold?.groupId ?? null]
      }
      return { client, users, group, protect, replace, state }
    }

    it('a protected group is held when the last user is deactivated', async () => {
      const { client, users, group, protect, state } = await setUp()
      const admins = await group('admins', users)
      await protect(await group('empty before', []), admins)
      for (const id of users.slice(0, 4)) await deactivate(client, id)
      expect(await state()).toEqual(['active', null])
      await deactivate(client, users[4] ?? '')
      expect(await state()).toEqual(['held', admins])
      expect((await connectionOf(client)).hold).toMatchObject({ groupName: 'admins' })
    })

    it('a protected group is held when the last active user is deleted or removed', async () => {
      for (const isDeleted of [true, false]) {
        const { client, users, group, protect, replace, state } = await setUp()
        const admins = await group('admins', users)
        await protect(admins)
        for (const id of users.slice(1)) await deactivate(client, id)
        if (isDeleted) await client.send('DELETE', `/Users/${users[0]}`)
        else await replace(admins, users.slice(1))
        expect(await state()).toEqual(['held', admins])
      }
    })

    it('a protected group is held when a nested group without users replaces the members', async () => {
      const { users, group, protect, replace, state } = await setUp()
      const admins = await group('admins', users)
      const inner = await group('inner', [])
      await protect(admins)
      await replace(admins, [inner, users[0] ?? ''])
      expect(await state()).toEqual(['active', null])
      await replace(admins, [inner])
      expect(await state()).toEqual(['held', admins])
    })

    it('a protected group is held when the last user in the nested groups is deactivated, also in a circle', async () => {
      const { client, users, group, protect, replace, state } = await setUp()
      const inner = await group('inner', users.slice(0, 1))
      const admins = await group('admins', [inner])
      await replace(inner, [admins, users[0] ?? ''])
      await protect(admins)
      await deactivate(client, users[1] ?? '')
      expect(await state()).toEqual(['active', null])
      await deactivate(client, users[0] ?? '')
      expect(await state()).toEqual(['held', admins])
    })

    it('a protected group is held when a paused connection becomes active', async () => {
      const { client, users, group, protect, replace, state } = await setUp()
      const admins = await group('admins', users)
      await protect(admins)
      await client.send('PATCH', pathOf(client), { state: 'paused' })
      await replace(admins, [])
      await client.send('PATCH', pathOf(client), { state: 'active' })
      expect(await state()).toEqual(['held', admins])
    })
  })

  describe('waiting changes that need more bytes than are kept', () => {
    const countRows = async ({ tenantId }: Client) => {
      const rows = await storeOf().read((db) =>
        db.exec(sql`select count(*) as count from changes where tenant_id = ${tenantId}`),
      )
      return Number(rows.rows?.[0]?.count)
    }
    const deleteOld = ({ tenantId }: Client) =>
      storeOf().write((db) => deleteOldChanges(db, tenantId, { since: 0, bytes: 3_000 }))
    /** A connection that was paused after five changes and holds more than 3,000 bytes. */
    const setUp = async () => {
      const client = await connected()
      await fill(client, 5)
      await client.send('PATCH', pathOf(client), { state: 'paused' })
      for (let at = 0; at < 30; at += 1) {
        await client.send('POST', '/Users', { userName: `waiting-${at}` })
      }
      expect((await connectionOf(client)).waiting).toMatchObject({ isComplete: true })
      while (await deleteOld(client));
      return client
    }

    it('waiting changes are kept, and later ones are not stored, so a tenant cannot fill the disk', async () => {
      const client = await setUp()
      // The five changes that consumers have seen were deleted.
      expect(await countRows(client)).toBe(30)
      for (let at = 0; at < 20; at += 1) {
        await client.send('POST', '/Users', { userName: `later-${at}` })
      }
      while (await deleteOld(client));
      expect(await countRows(client)).toBe(30)
      expect((await client.send('GET', '/Users?count=0')).body.totalResults).toBe(55)
      expect((await connectionOf(client)).waiting).toMatchObject({
        isComplete: false,
        changes: exactly(30),
      })
      // Consumers do not see the held state by a new copy.
      expect(await changesOf(client, 5)).toEqual([])
    })

    it('waiting changes make consumers copy the tenant again after a release', async () => {
      const client = await setUp()
      await client.send('POST', '/Users', { userName: 'later' })
      expect((await client.send('POST', `${pathOf(client)}/release`)).status).toBe(204)
      const path = `/api/tenants/${client.tenantId}/changes`
      expect((await client.send('GET', `${path}?after=${await cursorAt(client, 5)}`)).status).toBe(
        410,
      )
      const newest = await client.send('GET', `${path}?after=newest`)
      await client.send('POST', '/Users', { userName: 'released' })
      expect(await kindsOf(client, numberIn(newest.body.nextCursor))).toEqual(['user.created'])
      while (await deleteOld(client));
      expect(await countRows(client)).toBe(1)
      expect(await kindsOf(client, numberIn(newest.body.nextCursor))).toEqual(['user.created'])
    })

    it('waiting changes are held when a pause ends, because the unstored ones cannot be counted', async () => {
      const client = await setUp()
      const user = await client.send('POST', '/Users', { userName: 'not stored' })
      await deactivate(client, String(user.body.id))
      const resumed = await client.send('PATCH', pathOf(client), { state: 'active' })
      expect(resumed.body).toMatchObject({ state: 'held', hold: { reason: 'users' } })
      expect(await changesOf(client, 5)).toEqual([])
      expect((await client.send('POST', `${pathOf(client)}/release`)).status).toBe(204)
      const path = `/api/tenants/${client.tenantId}/changes?after=${await cursorAt(client, 5)}`
      expect((await client.send('GET', path)).status).toBe(410)
    })

    it('waiting changes can be dropped, and later changes are stored again', async () => {
      const client = await setUp()
      await client.send('POST', '/Users', { userName: 'later' })
      expect((await client.send('POST', `${pathOf(client)}/drop`)).status).toBe(204)
      await client.send('POST', '/Users', { userName: 'dropped before' })
      expect(await kindsOf(client, 5)).toEqual(['user.created'])
      expect(await countRows(client)).toBe(1)
    })
  })

  it('users who lost access are counted rarely, and the first of too many is held', async () => {
    let counts = 0
    const watched = watchStatements(storeOf(), ({ text }) => {
      if (text.includes('count(distinct resource_id)')) counts += 1
    })
    const client = await connect(watched, { role: 'admin', now })
    const users = await fill(client, 200)
    for (const id of users.slice(0, 40)) await deactivate(client, id)
    expect(counts).toBeLessThan(6)
    expect((await connectionOf(client)).state).toBe('active')
    await deactivate(client, users[40] ?? '')
    expect((await connectionOf(client)).state).toBe('held')
  })

  it('a stricter rule counts the users who lost access before', async () => {
    const client = await connected()
    const users = await fill(client, 100)
    for (const id of users.slice(0, 15)) await deactivate(client, id)
    await client.send('PATCH', pathOf(client), { rule: { percent: 12 } })
    expect((await connectionOf(client)).state).toBe('active')
    await deactivate(client, users[15] ?? '')
    expect((await connectionOf(client)).state).toBe('held')
  })

  it("deactivating 300 users with Okta's recorded requests is held before a consumer sees the first", async () => {
    const client = await connect(storeOf(), { role: 'admin', now, profile: 'okta' })
    const users = await fill(client, 300)
    const { steps = [] } = readRuns().get('okta-patch') ?? {}
    const step = steps.find(({ name }) => name.startsWith('deactivate the user'))
    for (const id of users) {
      const { method = '', path = '', body } = step?.request ?? {}
      const { status } = await client.send(method, path.replace('{{userId}}', id), body)
      expect(status).toBe(200)
    }
    expect(await connectionOf(client)).toMatchObject({
      state: 'held',
      waiting: { users: exactly(300) },
    })
    expect(await kindsOf(client, 300)).toEqual([])
  })

  it('deleting active users counts, and deleting inactive ones does not', async () => {
    const client = await connected()
    const inactive = await fill(client, 40, { active: false })
    for (const id of inactive) await client.send('DELETE', `/Users/${id}`)
    expect((await connectionOf(client)).state).toBe('active')
    const active = await fill(client, 40)
    for (const id of active.slice(0, 9)) await client.send('DELETE', `/Users/${id}`)
    expect((await connectionOf(client)).state).toBe('active')
    await client.send('DELETE', `/Users/${active[9]}`)
    expect(await connectionOf(client)).toMatchObject({
      state: 'held',
      waiting: { users: exactly(10) },
    })
  })

  it('ten users in more than ten minutes are not held', async () => {
    const client = await connected()
    for (const id of await fill(client, 12)) {
      await deactivate(client, id)
      time += 70_000
    }
    expect((await connectionOf(client)).state).toBe('active')
  })

  it('a protected group becoming empty is held before a consumer sees it', async () => {
    const client = await connected()
    const [ada = '', bob = ''] = await fill(client, 2)
    const members = [{ value: ada }, { value: bob }]
    const group = await client.send('POST', '/Groups', { displayName: 'admins', members })
    const groupId = String(group.body.id)
    await client.send('PATCH', pathOf(client), { rule: { protectedGroups: [groupId] } })
    const remove = (id: string) =>
      client.send(
        'PATCH',
        `/Groups/${groupId}`,
        patch({ op: 'remove', path: `members[value eq "${id}"]` }),
      )
    await remove(ada)
    expect((await connectionOf(client)).state).toBe('active')
    await remove(bob)
    expect(await connectionOf(client)).toMatchObject({
      state: 'held',
      hold: { reason: 'group', groupId },
      waiting: { changes: { count: 1 } },
    })
    const ruled = await client.send('PATCH', pathOf(client), { rule: { protectedGroups: [] } })
    expect(ruled.body).toMatchObject({ state: 'held', hold: { reason: 'group' } })
  })

  it('a paused connection stores what the provider says, and the changes can be dropped', async () => {
    const client = await connected()
    await client.send('PATCH', pathOf(client), { state: 'paused' })
    await fill(client, 3)
    expect(await changesOf(client)).toEqual([])
    expect((await client.send('GET', '/Users')).body.totalResults).toBe(3)
    expect((await client.send('POST', `${pathOf(client)}/drop`)).status).toBe(204)
    expect(await connectionOf(client)).toMatchObject({
      state: 'active',
      waiting: { changes: { count: 0 } },
    })
    await client.send('POST', '/Users', { userName: 'after' })
    expect((await changesOf(client)).map(({ cursor }) => numberIn(cursor))).toEqual([4])
  })

  it('the resources affected by waiting changes are listed by name, in pages', async () => {
    const client = await connected()
    const waiting = async (query = '') =>
      (await client.send('GET', `${pathOf(client)}/changes${query}`)).body
    const [ada = '', bob = '', carl = ''] = await fill(client, 3)
    const members = [{ value: ada }, { value: bob }]
    const { body: group } = await client.send('POST', '/Groups', { displayName: 'Staff', members })
    expect(await waiting()).toEqual({ changes: [] })
    await client.send('PATCH', pathOf(client), { state: 'paused' })
    expect(await waiting()).toEqual({ changes: [] })
    await deactivate(client, ada)
    const deleted = await client.send('DELETE', `/Users/${bob}`)
    const title = patch({ op: 'replace', path: 'title', value: 'Dr.' })
    await client.send('PATCH', `/Users/${carl}`, title)
    const user = (id: string, name: string, takesAccess: boolean) => ({
      resourceType: 'User',
      id,
      name,
      takesAccess,
      time: expect.any(String),
      requestId: expect.any(String),
      cursor: expect.any(String),
    })
    const none = { count: 0, first: [] }
    const adas = { ...user(ada, 'user-0', true), type: 'user.deactivated' }
    const bobs = {
      ...user(bob, 'user-1', true),
      type: 'user.deleted',
      requestId: deleted.headers.get('X-Request-Id'),
    }
    const groups = {
      ...user(String(group.id), 'staff', false),
      resourceType: 'Group',
      type: 'group.members',
      added: none,
      removed: { count: 1, first: [{ id: bob, name: 'user-1' }] },
    }
    const carls = {
      ...user(carl, 'user-2', false),
      type: 'user.changed',
      attributes: ['title'],
    }
    const { changes = [] } = await waiting()
    expect(changes).toEqual([adas, groups, bobs, carls])
    expect(await waiting('?takesAccess=true')).toEqual({ changes: [adas, bobs] })
    const first = await waiting('?takesAccess=true&count=1')
    expect(first).toEqual({ changes: [adas], nextAfter: changes[0]?.cursor })
    const rest = await waiting(`?takesAccess=true&count=1&after=${first.nextAfter}`)
    expect(rest).toEqual({ changes: [bobs] })
    // Changes that consumers have seen are not listed.
    expect((await waiting(`?after=${await cursorAt(client, 0)}`)).changes).toHaveLength(4)
    await client.send('PATCH', pathOf(client), { state: 'active' })
    expect(await waiting()).toEqual({ changes: [] })
  })

  it('a change to many members names the first 20', async () => {
    const client = await connected()
    const users = await fill(client, 30)
    await client.send('PATCH', pathOf(client), { state: 'paused' })
    const members = users.map((value) => ({ value }))
    await client.send('POST', '/Groups', { displayName: 'Staff', members })
    const { body } = await client.send('GET', `${pathOf(client)}/changes`)
    const added = body.changes?.find(({ type }) => String(type) === 'group.members')?.added
    expect(added).toMatchObject({ count: 30 })
    expect(Object(added).first).toHaveLength(20)
  })

  it("a new tenant's changes in review wait until it is active", async () => {
    const admin = await connected()
    const id = `review-${crypto.randomUUID().slice(0, 8)}`
    const created = await admin.send('POST', '/api/tenants', { id, name: id, connection: 'review' })
    expect(created.status).toBe(201)
    expect((await admin.send('GET', `/api/tenants/${id}/connection`)).body.state).toBe('review')
    const client = await connect(storeOf(), { role: 'admin', now, tenantId: id })
    await fill(client, 2)
    expect(await changesOf(client)).toEqual([])
    await client.send('PATCH', pathOf(client), { state: 'active' })
    expect(await kindsOf(client)).toEqual(['user.created', 'user.created'])
  })
}
