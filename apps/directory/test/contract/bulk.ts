import { expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

/** The behaviour of bulk requests on every store, beyond what the doctor checks there. */
export function bulkContract(store: () => Store): void {
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
