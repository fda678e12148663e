import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'

// A setting with a mistyped id would be ignored, and nothing would say so.

let store: Store
let admin: Client
let other: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  admin = await connect(store, { role: 'admin' })
  other = await connect(store, { role: 'admin' })
})
afterAll(() => store.close())

describe("a connection's rule", () => {
  it("a rule protects only the tenant's own groups, and stays as it is otherwise", async () => {
    const path = `/api/tenants/${admin.tenantId}/connection`
    const group = await admin.send('POST', '/Groups', { displayName: 'admins' })
    const foreign = await other.send('POST', '/Groups', { displayName: 'admins' })
    const known = String(group.body.id)
    const protect = async (...protectedGroups: readonly string[]) =>
      await admin.send('PATCH', path, { rule: { percent: 7, protectedGroups } })
    expect(await protect(known)).toMatchObject({ status: 200 })
    const rejected = await admin.send('PATCH', path, {
      rule: { percent: 9, protectedGroups: [known, 'typo', String(foreign.body.id)] },
    })
    expect(rejected).toMatchObject({
      status: 422,
      body: {
        issues: ['/rule/protectedGroups/1', '/rule/protectedGroups/2'].map((pointer) => ({
          location: 'body',
          pointer,
          detail: 'is not the id of a group',
        })),
      },
    })
    const { body } = await admin.send('GET', path)
    expect(body.rule).toMatchObject({ percent: 7, protectedGroups: [known] })
    // A group that was deleted later does not prevent other changes.
    await admin.send('DELETE', `/Groups/${known}`)
    expect(await admin.send('PATCH', path, { rule: { percent: 8 } })).toMatchObject({ status: 200 })
    expect(await protect()).toMatchObject({ status: 200 })
  })
})

describe('the user that /Me returns', () => {
  it.each(['/api/tokens', '/api/clients'])(
    'the user named in a new row of %s exists in its tenant',
    async (path) => {
      const user = await admin.send('POST', '/Users', { userName: `for ${path}` })
      const userId = String(user.body.id)
      const create = async (tenantId: string) =>
        await admin.send('POST', path, { tenantId, name: 'x', userId })
      expect(await create(admin.tenantId)).toMatchObject({ status: 201, body: { userId } })
      const issues = [{ location: 'body', pointer: '/userId', detail: 'is not the id of a user' }]
      expect(await create(other.tenantId)).toMatchObject({ status: 422, body: { issues } })
      const { body } = await admin.send('GET', `${path}?tenantId=${other.tenantId}`)
      expect(JSON.stringify(body)).not.toContain(userId)
    },
  )

  it("an administrator's user exists in the tenant default", async () => {
    const create = async (userId: string) =>
      await admin.send('POST', '/api/tokens', { role: 'admin', name: 'x', userId })
    expect((await create('typo')).status).toBe(422)
    const created = await admin.send('POST', '/api/tenants', { id: 'default', name: 'Default' })
    expect(created.status).toBe(201)
    const user = await admin.send('POST', '/Users', { userName: 'me' })
    const userId = String(user.body.id)
    expect((await create(userId)).status).toBe(422)
    await store.write((db) =>
      db.exec(sql`update users set tenant_id = 'default' where id = ${userId}`),
    )
    expect(await create(userId)).toMatchObject({ status: 201, body: { userId } })
  })
})
