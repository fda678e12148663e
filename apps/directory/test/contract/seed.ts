import { raw, sql } from '@plumbline/scim/internal'
import { expect, it } from 'vitest'
import { fill, membersIn, type Seeding } from '../../src/commands/seed/fill.ts'
import { personId, personOf } from '../../src/commands/seed/people.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'

/** The content of a store that was filled with a seed. */
export function seedContract(storeOf: () => Store): void {
  const filled = async (seeding: Partial<Seeding> = {}) => {
    const client = await connect(storeOf())
    const whole = { tenantId: client.tenantId, users: 1_200, groups: 3, seed: 7, ...seeding }
    await fill(storeOf(), whole)
    return client
  }

  it('a seed contains the requested users and groups', async () => {
    const client = await filled()
    const { body: people } = await client.send('GET', '/Users?count=0')
    expect(people.totalResults).toBe(1_200)
    const { body: list } = await client.send('GET', '/Groups?sortBy=meta.created')
    const sizes = (list.Resources ?? []).map(({ members = [] }) => Object(members).length)
    expect(sizes).toEqual([120, 60, 40])
    expect(sizes).toEqual([0, 1, 2].map((number) => membersIn(number, 1_200)))
  })

  it("a seed's user is found by the same filters as one created by a provider", async () => {
    const client = await filled()
    const { resource, id } = personOf(1_100, 7)
    for (const filter of [
      `userName eq "${resource.userName.toUpperCase()}"`,
      `externalId eq "${resource.externalId}"`,
      `emails[type eq "home"].value eq "${resource.emails?.[1]?.value}"`,
    ]) {
      const { body } = await client.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect(body.Resources).toMatchObject([{ id, userName: resource.userName }])
    }
    const { body: read } = await client.send('GET', `/Users/${id}`)
    const { version } = Object(read.meta)
    const { meta: _meta, groups: _groups, ...sent } = Object(read)
    // The entity tag stays the same if the resource is sent again unchanged.
    const { headers } = await client.send('PUT', `/Users/${id}`, sent)
    expect(headers.get('ETag')).toBe(version)
  })

  it('equal seeds have equal rows, and different seeds have different ids', async () => {
    const [one, same, other] = [await filled(), await filled(), await filled({ seed: 8 })]
    const rows = await rowsOf(storeOf(), one.tenantId)
    expect(rows.map(({ length }) => length)).toEqual([1_200, 6_000, 3, 220])
    expect(await rowsOf(storeOf(), same.tenantId)).toEqual(rows)
    const others = new Set((await rowsOf(storeOf(), other.tenantId))[0]?.map(({ id }) => id))
    expect(rows[0]?.some(({ id }) => others.has(id))).toBe(false)
  })

  it('a second run completes an interrupted seed, without changing existing users', async () => {
    const whole = await filled()
    const { tenantId, send } = await connect(storeOf())
    const seeding = { tenantId, users: 1_200, groups: 3, seed: 7 }
    const breakOff = (done: number): void => {
      if (done > 1_200) throw new Error('interrupted')
    }
    await expect(fill(storeOf(), seeding, breakOff)).rejects.toThrow('interrupted')
    const changed = personId(3, 7)
    await send('PATCH', `/Users/${changed}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'title', value: 'changed' }],
    })
    await fill(storeOf(), seeding)
    const own = await rowsOf(storeOf(), tenantId)
    const wanted = await rowsOf(storeOf(), whole.tenantId)
    expect(own.slice(1)).toEqual(wanted.slice(1))
    const differing = own[0]?.filter((row, at) => row.resource !== wanted[0]?.[at]?.resource)
    expect(differing).toMatchObject([{ id: changed, title_key: 'changed' }])
  })
}

/** All rows of a tenant, without the row of the tenant itself and without entity tags, which are random. */
async function rowsOf(store: Store, tenantId: string) {
  const orders = {
    users: 'id',
    user_values: 'resource_id, attribute, position',
    groups: 'id',
    group_members: 'group_id, member_id',
  }
  const rows = await store.read(async (db) => {
    const tables: (readonly Readonly<Record<string, unknown>>[])[] = []
    for (const [table, order] of Object.entries(orders)) {
      const { rows } = await db.exec(
        sql`select * from ${raw(table)} where tenant_id = ${tenantId} order by ${raw(order)}`,
      )
      tables.push(rows)
    }
    return tables
  })
  return rows.map((table) =>
    table.map((row): Record<string, unknown> => ({ ...row, tenant_id: null, version: null })),
  )
}
