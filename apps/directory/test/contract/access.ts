import { describe, expect, it } from 'vitest'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'
const PATCH = { schemas: [`${MESSAGES}:PatchOp`], Operations: [{ op: 'remove', path: 'title' }] }
const SEARCH = { schemas: [`${MESSAGES}:SearchRequest`], count: 1 }
const bulk = (...Operations: readonly object[]) => ({
  schemas: [`${MESSAGES}:BulkRequest`],
  Operations,
})

/** Tokens that may only read, on every store. */
export function accessContract(storeOf: () => Store): void {
  /** A tenant with a user, and a sender whose token belongs to the user and may only read. */
  const reader = async () => {
    const writer = await connect(storeOf())
    const user = await writer.send('POST', '/Users', { userName: 'a', title: 'Engineer' })
    const [tenantId, userId] = [writer.tenantId, String(user.body.id)]
    const { send } = await connect(storeOf(), { tenantId, userId, access: 'read' })
    return {
      writer,
      user,
      send: (method: string, path: string, body?: unknown) =>
        send(method, path.replace('{id}', userId), body),
    }
  }

  describe('a read-only token', () => {
    it.each([
      ['GET', '/Users', 200],
      ['GET', '/Users/{id}', 200],
      ['HEAD', '/Users/{id}', 200],
      ['GET', '/Users/{id}/', 200],
      ['GET', '/Groups?filter=displayName%20eq%20%22a%22', 200],
      ['GET', '/Me', 200],
      ['HEAD', '/Me', 200],
      ['GET', '/Schemas', 200],
      ['POST', '/Users/.search', 200, SEARCH],
      ['POST', '/Users/.search/', 200, SEARCH],
      ['POST', '/Groups/.search?a=b', 200, SEARCH],
      ['POST', '/.search', 200, SEARCH],
      // The path is rejected before the token is read.
      ['POST', '/Users/x/.search', 404, SEARCH],
      ['OPTIONS', '/Users', 405],
      ['PURGE', '/Users', 405],
      ['PUT', '/Users/.search', 405, { userName: 'b' }],
      ['POST', '/Me/.search', 404],
    ] as const)(
      'a read-only token may send %s %s: %i (RFC 7644 §3.4)',
      async (method, path, status, body?) => {
        const { send } = await reader()
        expect((await send(method, path, body)).status).toBe(status)
      },
    )

    it.each([
      ['POST', '/Users', { userName: 'b' }],
      ['POST', '/Users?path=/.search', { userName: 'b' }],
      ['POST', '/Groups', { displayName: 'b' }],
      ['PUT', '/Users/{id}', { userName: 'b' }],
      ['PATCH', '/Users/{id}', PATCH],
      ['PATCH', '/Users/{id}', '{'],
      ['DELETE', '/Users/{id}', undefined],
      ['DELETE', '/Users/unknown', undefined],
      ['PUT', '/Me', { userName: 'b' }],
      ['PATCH', '/Me', PATCH],
      ['DELETE', '/Me', undefined],
      ['POST', '/Bulk', bulk({ method: 'DELETE', path: '/Users/{id}' })],
      ['POST', '/Bulk', bulk()],
      ['POST', '/Bulk/', bulk()],
    ] as const)(
      'a read-only token gets 403, without a change, for %s %s %j (RFC 6750 §3.1)',
      async (...row) => {
        const [method, path, body] = row
        const { writer, user, send } = await reader()
        const answer = await send(method, path, body)
        expect(answer.status).toBe(403)
        expect(answer.body).toEqual({
          schemas: [`${MESSAGES}:Error`],
          status: '403',
          detail: 'this token may only read',
        })
        expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope"')
        const { body: list } = await writer.send('GET', '/Users')
        expect(list.Resources).toEqual([user.body])
        expect((await writer.send('GET', '/Groups')).body.totalResults).toBe(0)
      },
    )
  })

  it("a request beyond the token's access is logged with the tenant and the token", async () => {
    const log = createProvisioningLog({ store: storeOf(), now: Date.now, days: 30, rows: 100 })
    const options = { provisioning: log, role: 'admin', access: 'read' } as const
    const { send, tenantId, token } = await connect(storeOf(), options)
    await send('POST', '/Users', { userName: 'a' })
    await log.close()
    const { body } = await send('GET', `/api/requests?tenantId=${tenantId}`)
    expect(body.requests).toMatchObject([
      {
        tenantId,
        tokenId: token.split('.')[0],
        status: 403,
        rejection: null,
        operation: 'create',
        detail: 'this token may only read',
      },
    ])
  })
}
