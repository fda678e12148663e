import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect, problem } from '../../support/harness.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

let store: Store
let admin: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  admin = await connect(store, { role: 'admin', now: () => NOW })
})
afterAll(() => store.close())

it('a set-up link is created with defaults, listed without the secret, and revoked', async () => {
  const { tenantId, send } = admin
  const created = await send('POST', '/api/setup-links', { tenantId, name: 'Ada' })
  const { url, ...shown } = created.body
  expect([created.status, shown]).toEqual([
    201,
    {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      tenantId,
      name: 'Ada',
      createdAt: '2026-11-22T12:00:00.000Z',
      expiresAt: '2026-11-29T12:00:00.000Z',
      openedAt: null,
      tokenId: null,
    },
  ])
  expect(String(url)).toMatch(
    new RegExp(`^http://localhost/console/set-up/open/${shown.id}\\.[\\w-]{43}$`),
  )
  const path = `/api/setup-links?tenantId=${tenantId}`
  expect((await send('GET', path)).body).toEqual({ links: [shown] })
  expect((await send('DELETE', `/api/setup-links/${shown.id}`)).status).toBe(204)
  expect((await send('GET', path)).body).toEqual({ links: [] })
  expect(await send('DELETE', `/api/setup-links/${shown.id}`)).toMatchObject(
    problem(404, 'not-found'),
  )
})

it.each([
  [{ name: '' }, 422, 'invalid'],
  [{ name: 'Ada', lifetimeSeconds: 299 }, 422, 'invalid'],
  [{ name: 'Ada', lifetimeSeconds: 2_592_001 }, 422, 'invalid'],
  [{ name: 'Ada', tenantId: 'missing' }, 404, 'not-found'],
])('a set-up link with %j is rejected with %i', async (body, status, slug) => {
  const sent = { tenantId: admin.tenantId, ...body }
  expect(await admin.send('POST', '/api/setup-links', sent)).toMatchObject(problem(status, slug))
})
