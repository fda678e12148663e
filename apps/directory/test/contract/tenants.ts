import { raw, sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import { createDirectory } from '../../src/app.ts'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import { createTenantDeletion } from '../../src/features/tenants/deletion.ts'
import { TENANT_TABLES } from '../../src/features/tenants/tables.ts'
import { updateWebhook, type WebhookRow } from '../../src/features/webhooks/store.ts'
import { MINUTE } from '../../src/kernel/durations.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect, sender } from '../support/harness.ts'
import { typeCounts } from '../support/types.ts'

/** Tenants in the management API on every store. */
export function tenantContract(storeOf: () => Store): void {
  let time = Date.parse('2026-11-22T12:00:00Z')
  const now = () => time
  const connected = (options: Parameters<typeof connect>[1] = {}) =>
    connect(storeOf(), { role: 'admin', now, ...options })
  const pathOf = ({ tenantId }: Client) => `/api/tenants/${tenantId}`

  /** The numbers of rows of a tenant, of the tables that have some. */
  const rowsOf = async (tenantId: string): Promise<Readonly<Record<string, number>>> => {
    const counts: Record<string, number> = {}
    for (const { name } of TENANT_TABLES) {
      const statement = sql`select count(*) as count from ${raw(name)} where tenant_id = ${tenantId}`
      const { rows = [] } = await storeOf().read((db) => db.exec(statement))
      if (Number(rows[0]?.count) > 0) counts[name] = Number(rows[0]?.count)
    }
    return counts
  }

  describe('a tenant list', () => {
    it('a tenant list returns each tenant on one page, also several in the same millisecond', async () => {
      const { send } = await connected()
      const ids = Array.from({ length: 5 }, (): string => crypto.randomUUID())
      for (const id of ids) {
        expect((await send('POST', '/api/tenants', { id, name: id })).status).toBe(201)
      }
      const seen: string[] = []
      for (let cursor: string | undefined, page = 0; page < 1_000; page += 1) {
        const query = cursor === undefined ? '' : `&cursor=${cursor}`
        const { body } = await send('GET', `/api/tenants?count=2${query}`)
        seen.push(...(body.tenants ?? []).map(({ id }) => String(id)))
        expect([1, 2]).toContain(body.tenants?.length)
        if (body.nextCursor === undefined) break
        cursor = String(body.nextCursor)
      }
      expect(seen.filter((id) => ids.includes(id)).sort()).toEqual(ids.toSorted())
      expect(new Set(seen).size).toBe(seen.length)
    })

    it('a tenant list counts only with summary=true', async () => {
      const client = await connected()
      const { body } = await client.send('GET', pathOf(client))
      expect(body).toMatchObject({ id: client.tenantId, disabledAt: null, deletedAt: null })
      expect(body).not.toHaveProperty('summary')
    })
  })

  describe("a tenant's summary", () => {
    it('a summary has the users, the groups, the last request, and the errors of the last 24 hours', async () => {
      const log = createProvisioningLog({ store: storeOf(), now, days: 30, rows: 100 })
      const client = await connected({ provisioning: log })
      const other = await connected({ provisioning: log })
      const summaryOf = async ({ tenantId, send }: Client) => {
        await log.flush()
        const { body } = await send('GET', `/api/tenants/${tenantId}?summary=true`)
        return body.summary
      }
      const none = { count: 0, isExact: true }
      const webhooks = { failing: 0, stopped: 0, oldestChangeAt: null }
      const empty = {
        state: 'waiting',
        webhooks,
        resources: typeCounts(none),
        lastRequestAt: null,
        errors: none,
        recent: { requests: 0, errors: 0 },
        connection: 'active',
        nextExpiry: null,
      }
      expect(await summaryOf(client)).toEqual(empty)
      await client.send('GET', '/Users/none')
      time += 24 * 60 * MINUTE + 1
      for (const userName of ['a', 'b', 'b']) await client.send('POST', '/Users', { userName })
      await client.send('POST', '/Groups', { displayName: 'g' })
      time += 1
      await client.send('GET', '/Users/none')
      const counted = {
        state: 'errors',
        webhooks,
        resources: typeCounts(none, {
          User: { count: 2, isExact: true },
          Group: { count: 1, isExact: true },
        }),
        lastRequestAt: new Date(time).toISOString(),
        errors: { count: 2, isExact: true },
        recent: { requests: 6, errors: 3 },
        connection: 'active',
        nextExpiry: null,
      }
      expect(await summaryOf(client)).toEqual(counted)
      expect(await summaryOf(other)).toEqual(empty)
      await log.close()
    })

    it('a summary says in each answer that changes do not reach a webhook', async () => {
      const log = createProvisioningLog({ store: storeOf(), now, days: 30, rows: 100 })
      const client = await connected({ provisioning: log })
      await client.send('POST', '/Users', { userName: 'a' })
      await log.close()
      const createdAt = String((await client.send('GET', pathOf(client))).body.createdAt)
      const hook = `${pathOf(client)}/webhooks`
      const { body: made } = await client.send('POST', hook, {
        url: 'https://app.example.com/hook',
      })
      const key = { tenant_id: client.tenantId, id: String(made.id) }
      const change = (changes: Partial<WebhookRow>) =>
        storeOf().write((db) => updateWebhook(db, key, changes))
      /** The state in each answer that has one. */
      const states = async () => {
        // The tenant is the first of the page.
        const cursor = `${Date.parse(createdAt)}.${client.tenantId.slice(0, -1)}`
        const answers = [
          await client.send('GET', `${pathOf(client)}?summary=true`),
          await client.send('GET', `${pathOf(client)}/activity`),
          await client.send('GET', `/api/tenants?summary=true&count=1&cursor=${cursor}`),
        ]
        const bodies = answers.flatMap(({ body }) => [body, ...(body.tenants ?? [])])
        return bodies.flatMap(({ id, summary }) =>
          summary !== undefined && (id ?? client.tenantId) === client.tenantId
            ? [[summary.state, summary.webhooks]]
            : [],
        )
      }
      const all = (state: string, webhooks: object) =>
        Array.from({ length: 3 }, () => [
          state,
          { failing: 0, stopped: 0, oldestChangeAt: null, ...webhooks },
        ])
      expect(await states()).toEqual(all('healthy', {}))
      const changedAt = new Date(time).toISOString()
      await client.send('POST', '/Users', { userName: 'b' })
      time += 9 * MINUTE
      expect(await states()).toEqual(all('healthy', { oldestChangeAt: changedAt }))
      time += 2 * MINUTE
      expect(await states()).toEqual(all('undelivered', { oldestChangeAt: changedAt }))
      await change({ failing_since: time })
      expect(await states()).toEqual(all('undelivered', { failing: 1, oldestChangeAt: changedAt }))
      await change({ disabled_at: time, disabled_reason: 'failing' })
      expect(await states()).toEqual(all('undelivered', { stopped: 1 }))
      await change({ disabled_reason: 'administrator' })
      expect(await states()).toEqual(all('healthy', {}))
      await change({ disabled_at: null, disabled_reason: null, failing_since: null })
      // Changes that wait for an administrator do not wait for the webhook.
      await change({ position: 2 })
      await client.send('PATCH', `${pathOf(client)}/connection`, { state: 'paused' })
      await client.send('POST', '/Users', { userName: 'c' })
      expect(await states()).toEqual(all('paused', {}))
    })

    it('a summary has the token to expire next, and none that has expired', async () => {
      const client = await connected()
      const { tenantId, send } = client
      const summary = async () =>
        (await send('GET', `${pathOf(client)}?summary=true`)).body.summary?.nextExpiry
      const expiresAt = (days: number) => new Date(time + days * 24 * 60 * MINUTE).toISOString()
      for (const days of [3, 1, 2]) {
        const body = { tenantId, name: `${days} days`, expiresAt: expiresAt(days) }
        expect((await send('POST', '/api/tokens', body)).status).toBe(201)
      }
      const expected = { tokenId: expect.any(String), name: '1 days', expiresAt: expiresAt(1) }
      expect(await summary()).toEqual(expected)
      const second = { ...expected, name: '2 days', expiresAt: expiresAt(2) }
      time += 24 * 60 * MINUTE
      expect(await summary()).toEqual(second)
    })

    it('a summary has the last token use if requests are not logged', async () => {
      const client = await connected()
      await client.send('GET', '/Users')
      // The request does not wait until its use of the token is stored.
      const lastRequestAt = async () =>
        (await client.send('GET', `${pathOf(client)}?summary=true`)).body.summary?.lastRequestAt
      await expect.poll(lastRequestAt).toBe(new Date(time).toISOString())
    })
  })

  describe('a tenant change', () => {
    it('a tenant change renames the tenant, and changes nothing else', async () => {
      const client = await connected()
      const before = (await client.send('GET', pathOf(client))).body
      const changed = await client.send('PATCH', pathOf(client), { name: 'Renamed' })
      expect(changed).toMatchObject({ status: 200, body: { ...before, name: 'Renamed' } })
      expect((await client.send('PATCH', pathOf(client), {})).body).toEqual(changed.body)
      expect((await client.send('GET', pathOf(client))).body).toEqual(changed.body)
    })

    it('a tenant is disabled: the tokens get 403, and everything is back when it is enabled (RFC 7644 §3.12)', async () => {
      const client = await connected()
      const other = await connected()
      await client.send('POST', '/Users', { userName: 'kept' })
      const disabledAt = new Date(time).toISOString()
      const disabled = await client.send('PATCH', pathOf(client), { disabled: true })
      expect(disabled).toMatchObject({ status: 200, body: { disabledAt } })
      expect(await client.send('GET', '/Users')).toMatchObject({
        status: 403,
        body: { status: '403', detail: 'the tenant is disabled' },
      })
      expect((await other.send('GET', '/Users')).status).toBe(200)
      time += MINUTE
      const again = await client.send('PATCH', pathOf(client), { disabled: true })
      expect(again.body).toMatchObject({ disabledAt })
      const summary = await client.send('GET', `${pathOf(client)}?summary=true`)
      expect(summary.body.summary).toMatchObject({ resources: { User: { count: 1 } } })
      await client.send('PATCH', pathOf(client), { disabled: false })
      const users = await client.send('GET', '/Users')
      expect(users).toMatchObject({ status: 200, body: { totalResults: 1 } })
    })

    it('a tenant change is effective in another process within a second', async () => {
      const client = await connected()
      // A second store, like that of another process.
      const directory = createDirectory({ store: { ...storeOf() }, now })
      const other = sender(directory, client.token)
      expect((await other('GET', '/Users')).status).toBe(200)
      for (const [disabled, status] of [
        [true, 403],
        [false, 200],
      ] as const) {
        await client.send('PATCH', pathOf(client), { disabled })
        time += 1_000
        expect((await other('GET', '/Users')).status).toBe(status)
      }
    })

    it('a request to a disabled tenant is logged with the tenant and the rejected token, as disabled', async () => {
      const log = createProvisioningLog({ store: storeOf(), now, days: 30, rows: 100 })
      const client = await connected({ provisioning: log })
      await client.send('PATCH', pathOf(client), { disabled: true })
      await client.send('GET', '/Users')
      await log.close()
      const { body } = await client.send('GET', `/api/requests?tenantId=${client.tenantId}`)
      expect(body.requests).toMatchObject([
        { status: 403, rejection: 'disabled', tokenId: client.token.split('.')[0] },
      ])
    })
  })

  describe("a tenant's deletion", () => {
    /** A tenant with rows in every table, and more groups, members and users than one transaction deletes. */
    const filled = async (): Promise<Client> => {
      const log = createProvisioningLog({ store: storeOf(), now, days: 30, rows: 1_000 })
      const client = await connected({ provisioning: log })
      const { tenantId, send } = client
      const added = await send('POST', '/api/tokens', { tenantId, name: 'revoked' })
      await send('DELETE', `/api/tokens/${added.body.id}`)
      const Operations = Array.from({ length: 210 }, (_, at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${at}`,
        data: { userName: `u${at}`, emails: [{ value: `u${at}@example.com` }] },
      }))
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
      const { body } = await send('POST', '/Bulk', { schemas, Operations })
      const members = (body.Operations ?? []).map(({ location }) => ({
        value: String(location).split('/').at(-1),
      }))
      for (const displayName of ['a', 'b']) {
        expect((await send('POST', '/Groups', { displayName, members })).status).toBe(201)
      }
      await log.close()
      return client
    }

    it("a deletion stops the tenant's tokens, deletes the rows, and frees the id after two minutes", async () => {
      const client = await filled()
      const { tenantId, send } = client
      const other = await connected()
      await other.send('POST', '/Users', { userName: 'kept' })
      const before = await rowsOf(other.tenantId)
      const rows = { users: 210, groups: 2, group_members: 420, tokens: 1, revoked_tokens: 1 }
      expect(await rowsOf(tenantId)).toMatchObject({ ...rows, requests: 3 })
      const deletedAt = new Date(time).toISOString()
      const marked = await send('DELETE', pathOf(client))
      expect(marked).toMatchObject({ status: 202, body: { id: tenantId, deletedAt } })
      expect((await send('GET', '/Users')).status).toBe(401)
      expect((await send('POST', '/api/tokens', { tenantId, name: 'a' })).status).toBe(404)
      const problems: Readonly<Record<string, object>> = {
        PATCH: { disabled: false },
        POST: { id: tenantId, name: 'again' },
      }
      for (const [method, body] of Object.entries(problems)) {
        const path = method === 'POST' ? '/api/tenants' : pathOf(client)
        expect(await send(method, path, body)).toMatchObject({
          status: 409,
          body: { detail: `Tenant ${tenantId} is being deleted.` },
        })
      }
      const deletion = createTenantDeletion({ store: storeOf(), now })
      await deletion.run()
      expect(await rowsOf(tenantId)).toEqual({})
      time += 2 * MINUTE - 1
      const repeated = await send('DELETE', pathOf(client))
      expect(repeated).toMatchObject({ status: 202, body: { deletedAt } })
      await deletion.run()
      expect((await send('GET', pathOf(client))).status).toBe(200)
      time += 1
      await deletion.run()
      expect((await send('GET', pathOf(client))).status).toBe(404)
      expect(await rowsOf(other.tenantId)).toEqual(before)
      expect((await send('GET', '/Users')).status).toBe(401)
      const created = await send('POST', '/api/tenants', { id: tenantId, name: 'new' })
      expect(created.status).toBe(201)
      const fresh = await connected({ tenantId })
      expect((await fresh.send('GET', '/Users')).body).toMatchObject({ totalResults: 0 })
    })

    it('a deletion does not leave the schemas to a tenant created again', async () => {
      const client = await connected()
      const { tenantId, send } = client
      const register = (id: string) =>
        send('POST', `${pathOf(client)}/schemas`, {
          resourceType: 'User',
          id,
          name: 'Badges',
          attributes: [{ name: 'badge', type: 'string' }],
        })
      expect((await register('urn:example:old')).status).toBe(201)
      // The process remembers the schemas.
      await send('POST', '/Users', { userName: 'a', 'urn:example:old': { badge: '1' } })
      await send('DELETE', pathOf(client))
      time += 2 * MINUTE
      await createTenantDeletion({ store: storeOf(), now }).run()
      await send('POST', '/api/tenants', { id: tenantId, name: 'again' })
      expect((await register('urn:example:new')).status).toBe(201)
      const again = sender(client.directory, (await connected({ tenantId })).token)
      const user = { userName: 'a', 'urn:example:new': { badge: '2' } }
      expect(await again('POST', '/Users', user)).toMatchObject({ status: 201, body: user })
      expect((await again('GET', '/Schemas/urn:example:old')).status).toBe(404)
    })

    it('a deletion continues in another process if one stops', async () => {
      const client = await filled()
      await client.send('DELETE', pathOf(client))
      const stopped: { close?: () => Promise<void> } = {}
      let transactions = 0
      const stopping: Store = {
        ...storeOf(),
        background: (work) => {
          transactions += 1
          if (transactions === 4) void stopped.close?.()
          return storeOf().background(work)
        },
      }
      const first = createTenantDeletion({ store: stopping, now })
      stopped.close = first.close
      await first.run()
      expect(await rowsOf(client.tenantId)).toMatchObject({ users: 210 })
      const second = createTenantDeletion({ store: storeOf(), now })
      await second.run()
      expect(await rowsOf(client.tenantId)).toEqual({})
    })

    it("a deletion keeps the tenant until a late request's rows are deleted", async () => {
      const client = await connected()
      await client.send('DELETE', pathOf(client))
      time += 2 * MINUTE
      const log = createProvisioningLog({ store: storeOf(), now, days: 30, rows: 100 })
      // A request that is stored while the last table is deleted.
      const late: Store = {
        ...storeOf(),
        background: async (work) => {
          const value = await storeOf().background(work)
          if (log.counts().waiting > 0) await log.flush()
          return value
        },
      }
      const sending = await connected({ provisioning: log, tenantId: client.tenantId })
      await sending.send('GET', '/Users')
      await createTenantDeletion({ store: late, now }).run()
      await log.close()
      await createTenantDeletion({ store: storeOf(), now }).run()
      expect((await client.send('GET', pathOf(client))).status).toBe(404)
      expect(await rowsOf(client.tenantId)).toEqual({})
    })

    it('deleting several tenants continues after one that cannot be deleted', async () => {
      const broken = await connected()
      const other = await connected()
      for (const client of [broken, other]) await client.send('DELETE', pathOf(client))
      const failing: Store = {
        ...storeOf(),
        background: (work) =>
          storeOf().background(async (db) => {
            const failingDb = new Proxy(db, {
              get: (target, name) => {
                if (name !== 'exec') return Reflect.get(target, name)
                return (statement: { readonly values: readonly unknown[] }) => {
                  if (statement.values.includes(broken.tenantId)) throw new Error('broken')
                  return target.exec(statement as never)
                }
              },
            })
            return await work(failingDb)
          }),
      }
      await createTenantDeletion({ store: failing, now }).run()
      expect(await rowsOf(broken.tenantId)).toEqual({ tokens: 1, change_feeds: 1 })
      expect(await rowsOf(other.tenantId)).toEqual({})
    })
  })
}
