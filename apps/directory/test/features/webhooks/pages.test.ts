import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { createReceivers } from '../../../src/features/webhooks/addresses.ts'
import { createDeliveryJob } from '../../../src/features/webhooks/delivery-job.ts'
import { createSendChange } from '../../../src/features/webhooks/send-change.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { openConsole, postForSecret } from '../../support/console-client.ts'
import { numberIn } from '../../support/cursors.ts'
import { connect } from '../../support/harness.ts'

const store = await openSqlite(':memory:')
const received: string[] = []
let status = 500
const server = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']))
  response.writeHead(status).end('<b>out of order</b>')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await store.close()
})
const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hooks`

const receivers = createReceivers({ allow: ['127.0.0.1'] })
const client = await connect(store)
const browser = await openConsole(store, { receivers })
const home = `/console/tenants/${client.tenantId}/webhooks`
const now = Date.now
const jobOptions = { store, send: createSendChange({ store, receivers, now }), now }

async function deliver(): Promise<void> {
  const job = createDeliveryJob(jobOptions)
  await job.run()
  await job.idle()
  await job.close()
}

it('a webhook is created with a secret, fails, is tried again, and shows the deliveries', async () => {
  expect((await browser.open(home)).text).toContain('A webhook has not been created yet.')
  const { href, secret } = await postForSecret(browser, home, { url, kinds: 'user.created' })
  expect(secret).toMatch(/^whsec_/)
  expect((await browser.open(href)).text).not.toContain(secret)
  await client.send('POST', '/Users', { userName: 'ada' })
  await deliver()
  const failing = await browser.open(href)
  expect(failing.text).toContain('failing')
  expect(failing.text).toContain('&lt;b&gt;out of order')
  expect(failing.text).toContain('Try again now')
  status = 200
  expect((await browser.post(`${href}/enable`, {})).status).toBe(303)
  await deliver()
  const works = await browser.open(href)
  expect(works.text).toContain('active')
  expect(works.text).not.toContain('Try again now')
  const [, again = ''] = /action="([^"]+\/redeliver)"/.exec(works.text) ?? []
  const redelivered = await browser.post(again, {})
  expect(redelivered.status).toBe(303)
  expect((await browser.open(href)).text).toContain('The receiver accepted it.')
  const [, epoch] = /-([a-z0-9]{8})-1$/.exec(received[0] ?? '') ?? []
  expect(received).toEqual(Array.from({ length: 3 }, () => `${client.tenantId}-${epoch}-1`))
})

it('a button skips a change that is not accepted', async () => {
  const { href } = await postForSecret(browser, home, { url, kinds: '' })
  await client.send('POST', '/Users', { userName: 'eve' })
  status = 500
  await deliver()
  status = 200
  const [, next = ''] = /name="cursor" value="([\w.]+)"/.exec((await browser.open(href)).text) ?? []
  expect(numberIn(next)).toBeGreaterThan(1)
  await browser.confirm(`${href}/skip`, { cursor: next })
  const { text } = await browser.open(href)
  expect(text).toContain(`The change ${next} is not sent any more.`)
  expect(text).not.toContain('name="cursor"')
})

it('a disabled webhook says so, and is enabled, changed, rotated and deleted', async () => {
  const { href, secret } = await postForSecret(browser, home, { url, kinds: '' })
  await browser.post(`${href}/disable`, {})
  const disabled = await browser.open(href)
  expect(disabled.text).toContain('Disabled: an administrator has disabled it.')
  expect((await browser.open(home)).text).toContain('disabled')
  await browser.post(`${href}/enable`, {})
  expect((await browser.open(href)).text).not.toContain('Disabled:')
  await browser.post(href, { url, kinds: 'user.deleted, group.members' })
  expect((await browser.open(href)).text).toContain('user.deleted, group.members')
  const rotated = await postForSecret(browser, `${href}/rotate`, { overlap: '3600' })
  expect(rotated.secret).not.toBe(secret)
  expect((await browser.confirm(`${href}/delete`)).status).toBe(303)
  expect((await browser.open(href)).status).toBe(404)
})

it('a webhook with a private address, or without a URL, is rejected at the field', async () => {
  for (const wrong of ['https://10.0.0.1/', 'http://example.com/', '']) {
    const { status: answered, text } = await browser.post(home, { url: wrong })
    expect(answered).toBe(422)
    expect(text).toContain('id="error-url"')
  }
  const kinds = await browser.post(home, { url, kinds: 'everything' })
  expect(kinds.text).toContain('id="error-kinds"')
})

it('a webhook pushes Security Event Tokens if the server has a public origin', async () => {
  const set = { url, kinds: '', format: 'set', audience: 'https://app.example.com' }
  const { text } = await browser.post(home, set)
  expect(text).toContain('id="error-format"')
  expect(text).toContain('<option value="set" selected>')
  const publicOrigin = 'https://directory.example.com'
  const named = await openConsole(store, { receivers, publicOrigin, origin: publicOrigin })
  expect((await named.post(home, { ...set, audience: '' })).text).toContain('id="error-audience"')
  const { href } = await postForSecret(named, home, set)
  const page = await named.open(href)
  expect(page.text).toContain('Security Event Tokens (RFC 8935)')
  expect((await named.post(href, { url, audience: 'https://new.example.com' })).status).toBe(303)
  expect((await named.open(href)).text).toContain('<dd>https://new.example.com</dd>')
})
