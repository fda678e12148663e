import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { createReceivers } from '../../../src/features/webhooks/addresses.ts'
import { createDeliveryJob } from '../../../src/features/webhooks/delivery-job.ts'
import { createClientLimits } from '../../../src/kernel/rate-limit/client-limits.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { createBrowser, signIn } from '../../support/console-client.ts'
import { type Client, connect, recorder } from '../../support/harness.ts'
import { OWN_LEASE, startReceiver } from '../../support/webhook-receiver.ts'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

/** How long the answer tells its client to wait, in seconds. */
function waitOf({ status, headers }: Pick<Response, 'status' | 'headers'>) {
  return [status, Number(headers.get('Retry-After') ?? Number.NaN) > 0]
}

async function fetchFrom({ directory, adminToken }: Client, path: string) {
  const headers = { Authorization: `Bearer ${adminToken}`, Accept: 'text/event-stream' }
  const request = new Request(`http://localhost${path}`, { headers })
  const answer = () => directory.fetch(request)
  return path.startsWith('/scim') ? await answer() : await recorder.middleware({ request }, answer)
}

it.each(['/api/requests/live', '/api/tenants/{tenantId}/changes/live'])(
  'the 33rd client at %s is told when to try again',
  async (pattern) => {
    // A directory of its own, whose streams are counted and ended.
    const client = await connect(store, { role: 'admin', now: Date.now })
    onTestFinished(() => client.directory.endStreams())
    const path = pattern.replace('{tenantId}', client.tenantId)
    for (let at = 0; at < 32; at += 1) {
      expect((await fetchFrom(client, path)).status).toBe(200)
    }
    expect(waitOf(await fetchFrom(client, path))).toEqual([503, true])
  },
)

it('a client is told when to repeat a redelivery if too many wait for the receiver', async () => {
  let isSilent = false
  const { url, close } = await startReceiver((_, response) => {
    if (!isSilent) response.writeHead(204).end()
  })
  onTestFinished(close)
  const receivers = createReceivers({ allow: ['127.0.0.1'] })
  const client = await connect(store, { role: 'admin', receivers })
  const path = `/api/tenants/${client.tenantId}/webhooks`
  const { body } = await client.send('POST', path, { url })
  await client.send('POST', '/Users', { userName: 'ada' })
  const job = createDeliveryJob({
    store,
    now: Date.now,
    lease: OWN_LEASE,
    ...client.directory.delivery,
  })
  await job.run()
  await job.idle()
  await job.close()
  const { body: sent } = await client.send('GET', `${path}/${body.id}/deliveries`)
  const [delivery] = sent.deliveries ?? []
  isSilent = true
  const redeliver = () =>
    client.send('POST', `${path}/${body.id}/deliveries/${delivery?.id}/redeliver`)
  const waiting = Array.from({ length: 16 }, redeliver)
  expect(waitOf(await redeliver())).toEqual([429, true])
  close()
  await Promise.all(waiting)
})

it("an administrator is told when to reload a page rejected by the token's limit", async () => {
  const requests = { perSecond: 0.001, burst: 3 }
  const limits = createClientLimits({ requests, proxies: 0, isBehindProxy: false })
  const { adminToken } = await connect(store, { role: 'admin' })
  const browser = createBrowser(store, { limits })
  await signIn(browser, adminToken)
  const pages = []
  for (let at = 0; at < 6; at += 1) pages.push(await browser.open('/console/tenants'))
  const limited = pages.filter(({ status }) => status === 429)
  expect(limited.length).toBeGreaterThan(0)
  for (const page of limited) expect(waitOf(page)).toEqual([429, true])
})

it.each(['/api/ready', '/api/tenants', '/metrics', '/scim/v2/Users'])(
  'a client at %s is told when to try again while the database is away',
  async (path) => {
    const away = () => Promise.reject(new StoreUnavailableError('gone'))
    const client = await connect(store, { role: 'admin' })
    const directory = createDirectory({ store: { ...store, read: away, scan: away, ping: away } })
    expect(waitOf(await fetchFrom({ ...client, directory }, path))).toEqual([503, true])
  },
)
