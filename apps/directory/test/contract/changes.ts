import { sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import { createChangeDeletion } from '../../src/features/changes/deletion.ts'
import { createTenantDeletion } from '../../src/features/tenants/deletion.ts'
import { DAY } from '../../src/kernel/durations.ts'
import { readLease } from '../../src/kernel/store/leases.ts'
import { renameRestored } from '../../src/kernel/store/restore.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { cursorAt, numberIn } from '../support/cursors.ts'
import { type Body, type Client, connect } from '../support/harness.ts'
import { createEventReader } from '../support/live-events.ts'
import { patch } from '../support/two-processes.ts'

/** The feed of a tenant's changes on every store. */
export function changeContract(storeOf: () => Store): void {
  let time = Date.now()
  const now = () => time
  const connected = () => connect(storeOf(), { role: 'admin', now })
  const pathOf = ({ tenantId }: Client) => `/api/tenants/${tenantId}/changes`
  const create = async (client: Client, path: string, body: object) => {
    const created = await client.send('POST', path, body)
    expect(created.status).toBe(201)
    return String(created.body.id)
  }
  /** All changes after a cursor, read in pages of this many. */
  const readAll = async (client: Client, count = 100, start?: string) => {
    const changes: Body[] = []
    for (let after = start; ; ) {
      const query = `count=${count}${after === undefined ? '' : `&after=${after}`}`
      const { status, body } = await client.send('GET', `${pathOf(client)}?${query}`)
      expect(status).toBe(200)
      changes.push(...(body.changes ?? []))
      after = String(body.nextCursor)
      if (!body.hasMore) return { changes, after }
    }
  }
  const kindsOf = (changes: readonly Body[]) => changes.map(({ type }) => String(type))

  it('a consumer gets each change once, in commit order, whatever the page size', async () => {
    const client = await connected()
    const ada = await create(client, '/Users', { userName: 'ada', externalId: 'hr-1' })
    const group = await create(client, '/Groups', {
      displayName: 'staff',
      members: [{ value: ada }],
    })
    await client.send('PATCH', `/Users/${ada}`, patch({ op: 'add', path: 'title', value: 'Dr.' }))
    await client.send('PATCH', `/Users/${ada}`, patch({ op: 'add', path: 'title', value: 'Dr.' }))
    await client.send('DELETE', `/Groups/${group}`)
    const { changes, after } = await readAll(client)
    expect(kindsOf(changes)).toEqual([
      'user.created',
      'group.created',
      'group.members',
      'user.changed',
      'group.members',
      'group.deleted',
    ])
    expect(changes[0]).toMatchObject({
      id: ada,
      externalId: 'hr-1',
      cursor: await cursorAt(client, 1),
      active: true,
    })
    expect(changes[3]).toMatchObject({ attributes: ['title'], resourceType: 'User' })
    for (const size of [1, 2, 5]) expect((await readAll(client, size)).changes).toEqual(changes)
    expect((await readAll(client, 100, after)).changes).toEqual([])
    const newest = await client.send('GET', `${pathOf(client)}?after=newest`)
    expect(newest.body).toEqual({
      changes: [],
      nextCursor: await cursorAt(client, 6),
      hasMore: false,
    })
  })

  it('a rejected write, a write without effect, and another tenant do not add changes', async () => {
    const [client, other] = [await connected(), await connected()]
    const id = await create(client, '/Users', { userName: 'ada' })
    await create(other, '/Users', { userName: 'eve' })
    const { after } = await readAll(client)
    await client.send('POST', '/Users', { userName: 'ada' })
    await client.send('PUT', `/Users/${id}`, { userName: 'ada' })
    await client.send('PATCH', `/Users/${id}`, patch({ op: 'add', path: 'active', value: 'x' }))
    expect((await readAll(client, 100, after)).changes).toEqual([])
  })

  it('50 concurrent PATCHes on one group leave 50 exact changes without a gap', async () => {
    const client = await connected()
    const group = await create(client, '/Groups', { displayName: 'staff' })
    const users: string[] = []
    for (let at = 0; at < 50; at += 1) {
      users.push(await create(client, '/Users', { userName: `user-${at}` }))
    }
    const { after } = await readAll(client)
    await Promise.all(
      users.map((value) =>
        client.send(
          'PATCH',
          `/Groups/${group}`,
          patch({ op: 'add', path: 'members', value: [{ value }] }),
        ),
      ),
    )
    const { changes } = await readAll(client, 7, after)
    const first = numberIn(after) + 1
    expect(changes.map(({ cursor }) => numberIn(cursor))).toEqual(users.map((_, at) => first + at))
    expect(changes.flatMap(({ added = [] }) => [...added]).sort()).toEqual(users.sort())
  })

  it('a user deleted while the groups lose it leaves each group once', async () => {
    const client = await connected()
    for (let round = 0; round < 5; round += 1) {
      const user = await create(client, '/Users', { userName: `user-${round}` })
      const members = [{ value: user }]
      const groups: string[] = []
      for (let at = 0; at < 8; at += 1) {
        groups.push(await create(client, '/Groups', { displayName: `group-${at}`, members }))
      }
      const { after } = await readAll(client)
      const empty = patch({ op: 'remove', path: 'members' })
      const answers = await Promise.all([
        ...groups.map((id) => client.send('PATCH', `/Groups/${id}`, empty)),
        client.send('DELETE', `/Users/${user}`),
      ])
      expect(answers.map(({ status }) => status)).not.toContain(500)
      // The deletion waits, so that a rule can hold it.
      time += 60_000
      const { changes } = await readAll(client, 100, after)
      const removed = changes.filter(({ type }) => String(type) === 'group.members')
      expect(removed.map(({ id }) => String(id)).sort()).toEqual(groups.sort())
    }
  })

  it('a change of 1,001 members is divided between three changes', async () => {
    const client = await connected()
    const created = await client.send('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: Array.from({ length: 1_000 }, (_, at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${at}`,
        data: { userName: `user-${at}` },
      })),
    })
    const ids = (created.body.Operations ?? []).map(({ location }) =>
      String(location).split('/').at(-1),
    )
    ids.push(await create(client, '/Users', { userName: 'one more than a bulk request' }))
    const { after } = await readAll(client, 1_000)
    await create(client, '/Groups', {
      displayName: 'all',
      members: ids.map((value) => ({ value })),
    })
    const { changes } = await readAll(client, 100, after)
    const [, ...members] = changes
    expect(members.map(({ added }) => added?.length)).toEqual([500, 500, 1])
    expect(members.flatMap(({ added = [] }) => [...added]).sort()).toEqual(ids.sort())
  })

  it('old changes are deleted, and a consumer that missed them gets 410', async () => {
    const client = await connected()
    await create(client, '/Users', { userName: 'old' })
    time += 31 * DAY
    await create(client, '/Users', { userName: 'new' })
    const deletion = createChangeDeletion({ store: storeOf(), now, days: 30, bytes: 2 ** 30 })
    await deletion.run()
    const gone = await client.send('GET', `${pathOf(client)}?after=${await cursorAt(client, 0)}`)
    expect([gone.status, gone.body.type]).toEqual([
      410,
      'https://plumbline.example/problems/changes-deleted',
    ])
    expect(kindsOf((await readAll(client)).changes)).toEqual(['user.created'])
    expect((await readAll(client, 100, await cursorAt(client, 1))).changes).toHaveLength(1)
    expect(
      (await client.send('GET', `${pathOf(client)}?after=${await cursorAt(client, 3)}`)).status,
    ).toBe(410)
  })

  it('a tenant with too many bytes in changes loses the oldest ones', async () => {
    const client = await connected()
    for (let at = 0; at < 20; at += 1) await create(client, '/Users', { userName: `user-${at}` })
    const sizes = await storeOf().read((db) =>
      db.exec(sql`select bytes from changes where tenant_id = ${client.tenantId}`),
    )
    const [{ bytes } = {}] = sizes.rows
    const limits = { days: 30, bytes: Number(bytes) * 5 }
    await createChangeDeletion({ store: storeOf(), now, ...limits }).run()
    const { changes } = await readAll(client)
    expect(changes.length).toBeLessThanOrEqual(5)
    expect(numberIn(changes.at(-1)?.cursor)).toBe(20)
  })

  describe('epochs', () => {
    const readAt = (client: Client, cursor: string) =>
      client.send('GET', `${pathOf(client)}?after=${cursor}`)

    it('a tenant deleted and created again has another epoch, and the old cursors are 410', async () => {
      const first = await connected()
      const { tenantId } = first
      await create(first, '/Users', { userName: 'ada' })
      const old = await cursorAt(first, 1)
      expect((await first.send('DELETE', `/api/tenants/${tenantId}`)).status).toBe(202)
      time += 2 * 60_000
      await createTenantDeletion({ store: storeOf(), now }).run()
      const again = await first.send('POST', '/api/tenants', { id: tenantId, name: 'Again' })
      expect(again.status).toBe(201)
      const second = await connect(storeOf(), { role: 'admin', now, tenantId })
      await create(second, '/Users', { userName: 'bob' })
      const [change] = (await readAll(second)).changes
      expect(numberIn(change?.cursor)).toBe(1)
      expect((await readAt(second, old)).status).toBe(410)
    })

    it('a cursor without an epoch belongs to the first epoch in an upgraded database', async () => {
      const client = await connected()
      for (const userName of ['ada', 'bob']) await create(client, '/Users', { userName })
      expect((await readAt(client, '1')).status).toBe(410)
      const { tenantId } = client
      await storeOf().write((db) =>
        db.exec(sql`update change_feeds set first_epoch = epoch where tenant_id = ${tenantId}`),
      )
      const { body } = await readAt(client, '1')
      expect(body.changes?.map(({ cursor }) => String(cursor))).toEqual([await cursorAt(client, 2)])
      await storeOf().write(renameRestored)
      expect((await readAt(client, '1')).status).toBe(410)
    })

    it('after a restore, streams end, cursors are 410, group tags are new, and the lease is free', async () => {
      const client = await connected()
      const group = await create(client, '/Groups', { displayName: 'staff' })
      const tagOf = async () =>
        String((await client.send('GET', `/Groups/${group}`)).body.meta?.version)
      const [old, tag] = [await cursorAt(client, 1), await tagOf()]
      const headers = { Authorization: `Bearer ${client.adminToken}`, 'Last-Event-ID': old }
      const path = `http://localhost${pathOf(client)}/live`
      const stream = await client.directory.fetch(new Request(path, { headers }))
      await storeOf().write((db) =>
        db.exec(sql`insert into leases (name, holder, beat) values ('webhooks', 'old', 7)
          on conflict (name) do update set holder = 'old', beat = 7`),
      )
      await storeOf().write(renameRestored)
      expect(await createEventReader(stream)()).toBeNull()
      expect((await readAt(client, old)).status).toBe(410)
      expect(await tagOf()).not.toBe(tag)
      const lease = await storeOf().read((db) => readLease(db, 'webhooks'))
      expect(lease).toEqual({ holder: '', beat: 8 })
    })
  })

  describe('the change stream', () => {
    const watch = (client: Client, query = '', headers: Readonly<Record<string, string>> = {}) =>
      client.directory.fetch(
        new Request(`http://localhost${pathOf(client)}/live${query}`, {
          headers: { Authorization: `Bearer ${client.adminToken}`, ...headers },
        }),
      )

    it('the change stream sends the changes after a cursor, and continues after the Last-Event-ID', async () => {
      const client = await connected()
      await create(client, '/Users', { userName: 'ada' })
      await create(client, '/Users', { userName: 'bob' })
      const { changes } = await readAll(client)
      const response = await watch(client, `?after=${await cursorAt(client, 0)}`)
      const next = createEventReader(response)
      expect((await next())?.data).toEqual(changes[0])
      expect((await next())?.data).toEqual(changes[1])
      const again = createEventReader(
        await watch(client, '', { 'Last-Event-ID': await cursorAt(client, 1) }),
      )
      expect((await again())?.data).toEqual(changes[1])
      client.directory.endStreams()
    })

    it('the change stream misses no change if a client connects again before the first event', async () => {
      const client = await connected()
      await create(client, '/Users', { userName: 'before' })
      const reader = (await watch(client)).body?.getReader()
      const start = new TextDecoder().decode((await reader?.read())?.value)
      await reader?.cancel()
      await create(client, '/Users', { userName: 'meanwhile' })
      const [, id = ''] = /^retry: \d+\nid: (.*)\n\n$/.exec(start) ?? []
      const again = createEventReader(await watch(client, '', { 'Last-Event-ID': id }))
      expect((await again())?.data).toEqual((await readAll(client)).changes[1])
      client.directory.endStreams()
    })

    it('the change stream is 410 after a cursor outside the tenant, and 404 for an unknown tenant', async () => {
      const client = await connected()
      expect((await watch(client, `?after=${await cursorAt(client, 7)}`)).status).toBe(410)
      const missing = await client.send('GET', '/api/tenants/missing/changes/live')
      expect(missing.status).toBe(404)
    })
  })
}
