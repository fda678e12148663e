import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Answer, type Client, connect } from '../../support/harness.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const SEARCH_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

let store: Store
let client: Client
let user: Answer
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store)
  user = await client.send('POST', '/Users', { userName: 'anna', title: 'Guide' })
})
afterAll(() => store.close())

/** JSON may contain a lone surrogate as an escape; UTF-8, and therefore a database, cannot. */
const LONE = 'Guide\ud800'
const path = () => `/Users/${user.body.id}`
const patch = (operation: object) => ({ schemas: [PATCH_OP], Operations: [operation] })
const filter = `title eq "${String.raw`\ud800`}"`

describe('a lone surrogate is rejected (RFC 8259 §8.2)', () => {
  it.each<[string, string, () => Promise<Answer>]>([
    [
      'in a POST',
      'invalidSyntax',
      () => client.send('POST', '/Users', { userName: 'b', title: LONE }),
    ],
    ['in a PUT', 'invalidSyntax', () => client.send('PUT', path(), { userName: 'b', title: LONE })],
    [
      'in the value of a PATCH',
      'invalidSyntax',
      () => client.send('PATCH', path(), patch({ op: 'replace', path: 'title', value: LONE })),
    ],
    [
      'in the filter of a PATCH path',
      'invalidPath',
      () =>
        client.send('PATCH', path(), patch({ op: 'add', path: `emails[${filter}]`, value: {} })),
    ],
    [
      'in an operation of a bulk request',
      'invalidSyntax',
      () =>
        client.send('POST', '/Bulk', {
          schemas: [BULK_REQUEST],
          Operations: [
            { method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'b', title: LONE } },
          ],
        }),
    ],
    [
      'in the filter of a list',
      'invalidFilter',
      () => client.send('GET', `/Users?filter=${encodeURIComponent(filter)}`),
    ],
    [
      'in the filter of a search',
      'invalidFilter',
      () => client.send('POST', '/Users/.search', { schemas: [SEARCH_REQUEST], filter }),
    ],
  ])('a lone surrogate is rejected %s, with %s', async (_, scimType, send) => {
    expect(await send()).toMatchObject({ status: 400, body: { scimType } })
    const { body } = await client.send('GET', '/Users')
    expect(body.Resources).toEqual([user.body])
  })
})
