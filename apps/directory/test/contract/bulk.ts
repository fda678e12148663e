import { expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

/** The behaviour of bulk requests on every store. */
export function bulkContract(store: () => Store): void {
  it('a bulk request creates users and a group that refers to them, in any order (RFC 7644 §3.7.2)', async () => {
    const { send } = await connect(store())
    const { status, body } = await send('POST', '/Bulk', {
      schemas: [BULK_REQUEST],
      Operations: [
        {
          method: 'POST',
          path: '/Groups',
          bulkId: 'g',
          data: { displayName: 'Guides', members: [{ value: 'bulkId:a' }, { value: 'bulkId:b' }] },
        },
        { method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'anna' } },
        { method: 'POST', path: '/Users', bulkId: 'b', data: { userName: 'bert' } },
      ],
    })
    expect(status).toBe(200)
    expect((body.Operations ?? []).map((one) => one.status)).toEqual(['201', '201', '201'])
    const groups = await send('GET', '/Groups')
    expect(groups.body.Resources?.[0]?.members).toHaveLength(2)
  })

  it('a bulk request resolves groups containing each other (RFC 7644 §3.7.1)', async () => {
    const { send } = await connect(store())
    const group = (bulkId: string, other: string) => ({
      method: 'POST',
      path: '/Groups',
      bulkId,
      data: { displayName: bulkId, members: [{ value: `bulkId:${other}` }] },
    })
    await send('POST', '/Bulk', {
      schemas: [BULK_REQUEST],
      Operations: [group('one', 'two'), group('two', 'one')],
    })
    const { body } = await send('GET', '/Groups?sortBy=displayName')
    const [one, two] = body.Resources ?? []
    expect(one?.members?.[0]?.value).toBe(two?.id)
    expect(two?.members?.[0]?.value).toBe(one?.id)
  })

  it('a bulk request stops after failOnErrors errors, and returns each error document (RFC 7644 §3.7.3)', async () => {
    const { send } = await connect(store())
    const { body } = await send('POST', '/Bulk', {
      schemas: [BULK_REQUEST],
      failOnErrors: 1,
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'anna' } },
        { method: 'POST', path: '/Users', bulkId: 'b', data: { userName: 'ANNA' } },
        { method: 'POST', path: '/Users', bulkId: 'c', data: { userName: 'carl' } },
      ],
    })
    expect(body.Operations).toHaveLength(2)
    expect(body.Operations?.[1]).toMatchObject({
      bulkId: 'b',
      status: '409',
      response: { scimType: 'uniqueness' },
    })
    expect((await send('GET', '/Users')).body.totalResults).toBe(1)
  })

  it('a bulk request replaces, patches and deletes only if the entity tag matches', async () => {
    const { send } = await connect(store())
    const { body } = await send('POST', '/Users', { userName: 'anna' })
    const path = `/Users/${body.id}`
    const answer = await send('POST', '/Bulk', {
      schemas: [BULK_REQUEST],
      Operations: [
        { method: 'PUT', path, version: 'W/"another"', data: { userName: 'b' } },
        { method: 'PUT', path, version: body.meta?.version, data: { userName: 'c' } },
        {
          method: 'PATCH',
          path,
          data: {
            schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
            Operations: [{ op: 'add', path: 'title', value: 'Guide' }],
          },
        },
        { method: 'DELETE', path },
      ],
    })
    expect((answer.body.Operations ?? []).map(({ status }) => status)).toEqual([
      '412',
      '200',
      '200',
      '204',
    ])
    expect((await send('GET', path)).status).toBe(404)
  })

  it('a bulk request with more operations than advertised is rejected (RFC 7644 §3.7.4)', async () => {
    const { send } = await connect(store())
    const config = await send('GET', '/ServiceProviderConfig')
    const most = Number(config.body.bulk?.maxOperations)
    const Operations = Array.from({ length: most + 1 }, () => ({
      method: 'DELETE',
      path: '/Users/x',
    }))
    const rejected = await send('POST', '/Bulk', { schemas: [BULK_REQUEST], Operations })
    expect(rejected.status).toBe(413)
  })

  it('another tenant can read and write between two operations in a bulk request', async () => {
    let written = 0
    const counting: Store = {
      ...store(),
      write: async (work) => {
        const value = await store().write(work)
        written += 1
        return value
      },
    }
    const client = await connect(counting)
    const other = await connect(store())
    const group = await client.send('POST', '/Groups', { displayName: 'g' })
    // On SQLite a PATCH of a group does not wait for anything: it never yields the thread by itself.
    const bulk = client.send('POST', '/Bulk', {
      schemas: [BULK_REQUEST],
      Operations: Array.from({ length: 1_000 }, (_, at) => ({
        method: 'PATCH',
        path: `/Groups/${group.body.id}`,
        data: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'displayName', value: `g${at}` }],
        },
      })),
    })
    const before = written
    while (written < before + 1) await new Promise((resolve) => setImmediate(resolve))
    expect((await other.send('POST', '/Users', { userName: 'anna' })).status).toBe(201)
    expect((await other.send('GET', '/Users?filter=userName eq "anna"')).status).toBe(200)
    // One operation may run in each of the few turns of the event loop that the two requests need.
    expect(written - before).toBeLessThan(500)
    expect((await bulk).body.Operations).toHaveLength(1_000)
  })

  it("a bulk request cannot read or write another tenant's resources", async () => {
    const one = await connect(store())
    const two = await connect(store())
    const { body } = await one.send('POST', '/Users', { userName: 'anna' })
    const { body: answer } = await two.send('POST', '/Bulk', {
      schemas: [BULK_REQUEST],
      Operations: [{ method: 'DELETE', path: `/Users/${body.id}` }],
    })
    expect(answer.Operations?.[0]?.status).toBe('404')
    expect((await one.send('GET', `/Users/${body.id}`)).status).toBe(200)
  })
}
