import { raw, sql } from '@plumbline/scim/internal'
import { beforeAll, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Answer, type Client, connect } from '../support/harness.ts'
import { RESOURCE_TABLES } from '../support/types.ts'
import { FILTERS, type Own, PLACES, TEXTS } from './injection.cases.ts'

/** Strings in requests that must not find or change data of others, on every store. */
export function injectionContract(store: () => Store): void {
  let client: Client
  let victim: Client
  let own: Own
  let before: string
  beforeAll(async () => {
    client = await connect(store(), { role: 'admin' })
    victim = await connect(store())
    own = await populate(client)
    await populate(victim)
    before = await dump(store(), [client.tenantId, victim.tenantId])
  })

  it.each(PLACES)('no data is found or changed through $name', async (place) => {
    for (const text of TEXTS) {
      const answer = await place.send(client, text, own)
      const shown = `${JSON.stringify(text.slice(0, 80))}: ${JSON.stringify(answer.body)}`
      // RFC 8259 §8.2: a lone surrogate is rejected in every place.
      const statuses = text.isWellFormed() ? place.statuses : [...place.statuses, 400]
      expect(statuses, shown).toContain(answer.status)
      expect(foundBy(answer), shown).toBe(0)
    }
    expect(await dump(store(), [client.tenantId, victim.tenantId])).toBe(before)
  })

  it.each(FILTERS)('the filter %s is rejected', async (filter) => {
    for (const type of ['Users', 'Groups']) {
      const answer = await client.send('GET', `/${type}?filter=${encodeURIComponent(filter)}`)
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
    }
    expect(await dump(store(), [client.tenantId, victim.tenantId])).toBe(before)
  })

  it('every valid string is stored unchanged, and found', async () => {
    for (const text of TEXTS) {
      const created = await client.send('POST', '/Users', {
        userName: text,
        displayName: text,
        externalId: text,
        emails: [{ value: text, type: 'work' }],
      })
      if (text.includes('\0') || text.length > 2_000 || !text.isWellFormed()) {
        const scimType = text.isWellFormed() ? 'invalidValue' : 'invalidSyntax'
        expect(created).toMatchObject({ status: 400, body: { scimType } })
        continue
      }
      expect(created.status).toBe(201)
      const path = `/Users/${created.body.id}`
      const { body } = await client.send('GET', path)
      expect(body).toMatchObject({ userName: text, displayName: text, externalId: text })
      for (const attribute of ['userName', 'displayName', 'externalId', 'emails.value']) {
        const filter = encodeURIComponent(`${attribute} eq ${JSON.stringify(text)}`)
        const found = await client.send('GET', `/Users?filter=${filter}`)
        expect((found.body.Resources ?? []).map(({ id }) => id)).toEqual([created.body.id])
      }
      expect((await client.send('DELETE', path)).status).toBe(204)
    }
    expect(await dump(store(), [client.tenantId, victim.tenantId])).toBe(before)
  })
}

async function populate(client: Client): Promise<Own> {
  const user = await client.send('POST', '/Users', {
    userName: 'anna',
    displayName: 'Anna',
    externalId: 'e-1',
    title: 'Guide',
    locale: 'en',
    name: { familyName: 'Archer' },
    emails: [{ value: 'anna@example.com', type: 'work' }],
  })
  const members = [{ value: user.body.id }]
  const group = await client.send('POST', '/Groups', { displayName: 'Guides', members })
  return { user: String(user.body.id), group: String(group.body.id) }
}

/** The number of resources or tokens that a response contains or a request changed. */
function foundBy({ body, status }: Answer): number {
  const results = body?.Operations ?? []
  const done = results.filter((one) => !/^4/.test(String(one.status))).length
  const tokens = body?.tokens?.length ?? 0
  return status === 200 ? (body.Resources?.length ?? 0) + tokens + done : 0
}

/** The rows of these tenants, without the times at which their tokens were used. */
async function dump(store: Store, tenantIds: readonly string[]): Promise<string> {
  const tables = [
    ['id, name, created_at', 'tenants', 'id'],
    ['id, hash, role', 'tokens', 'tenant_id'],
    ...RESOURCE_TABLES.map((table) => ['*', table, 'tenant_id']),
  ]
  const rows: unknown[] = []
  for (const [columns, table, tenant] of tables) {
    const rowsOf = (id: string) => sql`
      select ${raw(columns ?? '')} from ${raw(table ?? '')} where ${raw(tenant ?? '')} = ${id}
      order by 1, 2, 3`
    for (const id of tenantIds) {
      const found = await store.read((db) => db.exec(rowsOf(id)))
      rows.push([table, found.rows])
    }
  }
  return JSON.stringify(rows)
}
