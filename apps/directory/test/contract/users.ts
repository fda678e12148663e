import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { expect, it } from 'vitest'
import { createDirectory } from '../../src/app.ts'
import { insertRows } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect, sender } from '../support/harness.ts'

/** The behaviour of users on every store, beyond what the doctor checks there. */
export function userContract(store: () => Store): void {
  it('one of twenty concurrent creates with the same userName succeeds', async () => {
    const { send } = await connect(store())
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('POST', '/Users', { userName: 'same' })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(409)])
    expect((await send('GET', '/Users')).body.totalResults).toBe(1)
  })

  it('lastModified stays if a PATCH changes nothing (RFC 7644 §3.5.2.1)', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const { send } = await connect(store(), { now: () => time })
    const { body } = await send('POST', '/Users', { userName: 'a', title: 'Guide' })
    time += 60_000
    const patched = await send('PATCH', `/Users/${body.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'title', value: 'Guide' }],
    })
    expect(patched.body.meta).toEqual(body.meta)
    const reverted = await send('PATCH', `/Users/${body.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: ['Pilot', 'Guide'].map((value) => ({ op: 'replace', path: 'title', value })),
    })
    expect(reverted.body.meta).toEqual(body.meta)
  })

  it('a manager set to an empty value is removed', async () => {
    const { send } = await connect(store())
    const withManager = (value: string) => ({
      userName: 'a',
      [ENTERPRISE_USER_SCHEMA]: { manager: { value } },
    })
    const created = await send('POST', '/Users', withManager(''))
    expect(created.body).not.toHaveProperty(ENTERPRISE_USER_SCHEMA)
    const path = `/Users/${created.body.id}`
    for (const remove of [
      () => send('PUT', path, withManager('')),
      () =>
        send('PATCH', path, {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [
            { op: 'Replace', path: `${ENTERPRISE_USER_SCHEMA}:manager`, value: { value: '' } },
          ],
        }),
    ]) {
      const set = await send('PUT', path, withManager('m1'))
      expect(set.body[ENTERPRISE_USER_SCHEMA]).toEqual({ manager: { value: 'm1' } })
      const removed = await remove()
      expect(removed.status).toBe(200)
      expect(removed.body).not.toHaveProperty(ENTERPRISE_USER_SCHEMA)
    }
  })

  it('a repeated type and value pair is stored once (RFC 7643 §2.4)', async () => {
    const { send } = await connect(store())
    const email = { type: 'work', value: 'a@example.com' }
    const repeated = { userName: 'a', emails: [email, { ...email, type: 'home' }, email] }
    const stored = [email, { ...email, type: 'home' }]
    const created = await send('POST', '/Users', repeated)
    expect(created.body.emails).toEqual(stored)
    const path = `/Users/${created.body.id}`
    expect((await send('PUT', path, repeated)).body.emails).toEqual(stored)
    for (const op of ['add', 'replace']) {
      const patched = await send('PATCH', path, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op, path: 'emails', value: repeated.emails }],
      })
      expect(patched.body.emails).toEqual(stored)
    }
  })

  it('a conflict names the attribute whose value is taken (RFC 7644 §3.12)', async () => {
    const { send } = await connect(store())
    await send('POST', '/Users', { userName: 'anna' })
    const { body } = await send('POST', '/Users', { userName: 'bert' })
    const path = `/Users/${body.id}`
    const answers = [
      await send('POST', '/Users', { userName: 'Anna' }),
      await send('PUT', path, { userName: 'ANNA' }),
      await send('PATCH', path, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'userName', value: 'anna' }],
      }),
    ]
    for (const answer of answers) {
      const detail = 'userName is already taken'
      expect(answer).toMatchObject({ status: 409, body: { scimType: 'uniqueness', detail } })
    }
  })

  it('an internal key that is already taken answers 500, and does not name an attribute', async () => {
    const { directory, tenantId, token } = await connect(store())
    const colliding: Store = {
      ...store(),
      read: (work) => store().read(work),
      write: (work) =>
        store().write(async (db) => {
          const value = await work(db)
          await insertRows(db, 'tenants', [{ id: tenantId, name: 'again', created_at: 0 }])
          return value
        }),
    }
    expect((await sender(directory, token)('GET', '/Users')).status).toBe(200)
    const send = sender(createDirectory({ store: colliding }), token)
    const { status, body } = await send('POST', '/Users', { userName: 'a' })
    expect({ status, scimType: body.scimType }).toEqual({ status: 500, scimType: undefined })
  })

  it("a user's entity tag changes if the groups change (RFC 7644 §3.14)", async () => {
    const { send } = await connect(store())
    const user = await send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${user.body.id}`
    const members = [{ value: user.body.id }]
    const group = await send('POST', '/Groups', { displayName: 'g', members })
    const outer = { displayName: 'outer', members: [{ value: group.body.id }] }
    const tags = [user.headers.get('ETag') ?? '']
    for (const change of [
      () => undefined,
      () => send('PUT', `/Groups/${group.body.id}`, { displayName: 'renamed', members }),
      () => send('POST', '/Groups', outer),
      () => send('PUT', `/Groups/${group.body.id}`, { displayName: 'renamed', members: [] }),
    ]) {
      await change()
      const last = { 'If-None-Match': tags.at(-1) ?? '' }
      const read = await send('GET', path, undefined, last)
      const tag = read.headers.get('ETag') ?? ''
      expect(read).toMatchObject({ status: 200, body: { meta: { version: tag } } })
      expect((await send('GET', path, undefined, { 'If-None-Match': tag })).status).toBe(304)
      const found = await send('GET', '/Users')
      expect(found.body.Resources?.[0]?.meta?.version).toBe(tag)
      tags.push(tag)
    }
    // Without groups the user has the tag of its creation.
    expect(tags.at(-1)).toBe(tags[0])
    const withoutGroups = await send('GET', `${path}?excludedAttributes=groups`)
    expect(withoutGroups.headers.get('ETag')).toBe(tags[0])
    expect(new Set(tags).size).toBe(4)
  })

  it('a write with any tag for the current content is accepted, whatever the groups (RFC 7644 §3.14)', async () => {
    const { send } = await connect(store())
    const { body, headers } = await send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${body.id}`
    const members = [{ value: body.id }]
    await send('POST', '/Groups', { displayName: 'g', members })
    const before = await send('GET', path)
    const put = (tag: string | null) =>
      send('PUT', path, { userName: 'a' }, { 'If-Match': tag ?? '' })
    expect((await put(headers.get('ETag'))).status).toBe(200)
    expect((await put(before.headers.get('ETag'))).status).toBe(200)
    const changed = await send('PUT', path, { userName: 'b' })
    expect((await put(before.headers.get('ETag'))).status).toBe(412)
    const tag = changed.headers.get('ETag') ?? ''
    expect((await send('GET', path)).headers.get('ETag')).toBe(tag)
    expect((await send('DELETE', path, undefined, { 'If-Match': tag })).status).toBe(204)
  })

  it('tenants are isolated, whatever the filter', async () => {
    const one = await connect(store())
    const two = await connect(store())
    const { body } = await one.send('POST', '/Users', { userName: 'a' })
    for (const filter of [
      'userName eq "a"',
      'userName pr or userName pr',
      'not (userName eq "b")',
    ]) {
      const found = await two.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect(found.body.totalResults).toBe(0)
    }
    expect((await two.send('GET', `/Users/${body.id}`)).status).toBe(404)
    expect((await two.send('PUT', `/Users/${body.id}`, { userName: 'b' })).status).toBe(404)
    expect((await two.send('DELETE', `/Users/${body.id}`)).status).toBe(404)
    expect((await two.send('POST', '/Users', { userName: 'a' })).status).toBe(201)
  })
}
