import { expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Requests with extreme ids and clocks, on every store. */
export function edgeContract(store: () => Store): void {
  it.each([
    ['GET', undefined],
    ['PUT', { userName: 'a', displayName: 'a' }],
    ['PATCH', { schemas: [PATCH_OP], Operations: [{ op: 'remove', path: 'externalId' }] }],
    ['DELETE', undefined],
  ])('%s on an id with U+0000 answers 404 (RFC 7644 §3.12)', async (method, body) => {
    const { send } = await connect(store())
    for (const path of ['/Users/%00', '/Groups/%00', '/Users/a%00b']) {
      const answer = await send(method, path, body)
      expect(answer).toMatchObject({ status: 404, body: { status: '404' } })
    }
  })

  it.each(['Users', 'Groups'])(
    'a change to %s sets lastModified to the current time, and never to an earlier one (RFC 7643 §3.1)',
    async (type) => {
      const created = Date.parse('2026-11-21T00:00:00.000Z')
      let time = created
      const { send } = await connect(store(), { now: () => time })
      const content = (name: string) => ({ userName: name, displayName: name })
      const { body } = await send('POST', `/${type}`, content('a'))
      for (const [at, shown] of [
        [60_000, 60_000],
        [30_000, 60_000],
        [60_001, 60_001],
      ] as const) {
        time = created + at
        await send('PUT', `/${type}/${body.id}`, content(`at ${at}`))
        const { meta } = (await send('GET', `/${type}/${body.id}`)).body
        expect(meta?.lastModified).toBe(new Date(created + shown).toISOString())
        expect(meta?.created).toBe(new Date(created).toISOString())
      }
    },
  )

  it.each([
    ['before 1970', -1],
    ['before all dates', Number.NEGATIVE_INFINITY],
    ['beyond the year 9999', 253_402_300_800_000],
    ['beyond 48 bits', 2 ** 48],
    ['beyond all dates', 8.64e15 + 1],
  ])('writes work with a clock that is %s', async (_, time) => {
    const { send } = await connect(store(), { role: 'admin', now: () => time })
    const { status, body } = await send('POST', '/Users', { userName: 'a' })
    expect(status).toBe(201)
    expect(body.meta?.created).toMatch(/^(?:1970|9999)-/)
    expect((await send('GET', '/Users?cursor&count=1')).status).toBe(200)
    const id = crypto.randomUUID()
    expect((await send('POST', '/api/tenants', { id, name: 'a' })).status).toBe(201)
    expect((await send('POST', '/api/tokens', { tenantId: id, name: 'a' })).status).toBe(201)
    expect((await send('GET', `/api/tokens?tenantId=${id}`)).status).toBe(200)
    expect((await send('DELETE', `/Users/${body.id}`)).status).toBe(204)
  })
}
