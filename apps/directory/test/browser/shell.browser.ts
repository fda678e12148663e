import { expect, it } from 'vitest'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()

it('the menu in a narrow window opens without scripts, and is one row before', async () => {
  const viewport = { width: 390, height: 844 }
  const { page, ...visit } = await browser.visit(site, { viewport, javaScriptEnabled: false })
  await visit.signIn('/console/tenants/default/requests')
  await page.getByText('Not live without scripts').waitFor()
  const top = await page.getByRole('banner').boundingBox()
  expect(top?.height).toBeLessThan(60)
  const link = page.getByRole('link', { name: 'Unknown senders' })
  expect(await link.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).press('Enter')
  await link.waitFor()
  await page.keyboard.press('Escape')
  expect(await link.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await link.click()
  await page.getByRole('heading', { name: 'Unknown senders' }).waitFor()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await visit.close()
})

it('a first visit leads from a tenant to the provider and the requests', async () => {
  const { page, ...visit } = await browser.visit(site)
  await visit.signIn()
  const step = page.locator('[aria-current="step"]')
  expect(await step.textContent()).toBe('Create a tenant')
  await page.getByRole('main').getByRole('link', { name: 'Create a tenant' }).first().click()
  await page.getByLabel('Id', { exact: true }).fill('first')
  await page.getByLabel('Name').fill('First')
  await page.getByRole('button', { name: 'Create tenant' }).click()
  await page.getByText('Next, connect its provider.').waitFor()
  expect(await step.textContent()).toBe('Connect its provider')
  await page.getByRole('link', { name: 'Requests' }).click()
  expect(await step.textContent()).toBe('Watch the first requests')
  await visit.expectAccessible()
  const { body } = await site.send('POST', '/api/tokens', { tenantId: 'first', name: 'First' })
  const headers = { Authorization: `Bearer ${body.token}` }
  await site.send('POST', '/Users', { userName: 'anna' }, headers)
  await page.getByText('Live · 1 new request').waitFor()
  await visit.expectAccessible()
  await visit.open(`/console/tenants/first/connect?provider=entra&token=${body.id}`)
  await page.getByRole('link', { name: 'Watch the requests' }).click()
  await page.getByRole('cell', { name: 'anna' }).waitFor()
  await visit.close()
})

it('keys open pages and move to the search, and can be turned off', async () => {
  const { page, ...visit } = await browser.visit(site)
  await visit.signIn('/console/tenants/default')
  await page.keyboard.type('gr')
  await page.getByRole('heading', { name: 'Requests' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('gt?')
  expect(await page.getByLabel('User or id').inputValue()).toBe('gt?')
  await page.getByRole('main').focus()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.getByText('Administrators').waitFor()
  await visit.expectAccessible()
  await list.getByLabel('Shortcuts are on').uncheck()
  await list.getByRole('button', { name: 'Close' }).click()
  await list.waitFor({ state: 'hidden' })
  await page.keyboard.type('gt?')
  await page.waitForTimeout(500)
  expect(await list.isVisible()).toBe(false)
  await page.reload()
  await page.keyboard.type('gt')
  await page.getByRole('heading', { name: 'Requests' }).waitFor()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await list.waitFor()
  await visit.close()
})

it.each([390, 834, 1_600])('long names fit into a window %i pixels wide', async (width) => {
  const { page, ...visit } = await browser.visit(site, { viewport: { width, height: 844 } })
  await visit.signIn()
  for (const [at, name] of NAMES.entries()) {
    const id = `long-${at}-${width}`
    await site.send('POST', '/api/tenants', { id, name })
    const { body } = await site.send('POST', '/api/tokens', { tenantId: id, name })
    const headers = { Authorization: `Bearer ${body.token}` }
    const user = { userName: name, displayName: name, externalId: name }
    await site.send('POST', '/Users', user, headers)
    await site.send('POST', '/Users', user, headers)
    await expect
      .poll(async () => (await site.send('GET', `/api/requests?tenantId=${id}`)).body.requests)
      .toHaveLength(2)
    const base = `/console/tenants/${id}`
    for (const path of [base, `${base}/tokens/${body.id}`, `${base}/users`, `${base}/requests`]) {
      await visit.open(path)
      await visit.expectAccessible()
    }
    for (const row of await page.locator('#requests tbody tr').all()) {
      expect((await row.boundingBox())?.height, name).toBeLessThan(40)
    }
    await page.locator('#requests tbody a').first().click()
    await visit.expectAccessible()
  }
  await visit.open('/console/tenants')
  await visit.expectAccessible()
  await visit.close()
})

it.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'axe finds nothing in the page states in %s, %i pixels wide',
  async (colorScheme, width) => {
    const tenantId = `states-${width}`
    const path = `/api/tenants/${tenantId}`
    await site.send('POST', '/api/tenants', { id: tenantId, name: 'States' })
    await site.send('PATCH', `${path}/connection`, { state: 'paused' })
    await site.send('POST', `${path}/recordings`)
    await site.send('POST', `${path}/webhooks`, { url: 'https://example.com/hook' })
    const link = await site.send('POST', '/api/setup-links', { tenantId, name: 'Ada' })
    expect(link.status).toBe(201)
    const viewport = { width, height: 844 }
    const { page, ...visit } = await browser.visit(site, { colorScheme, viewport })
    await visit.signIn()
    for (const name of ['connection', 'recordings', 'webhooks', 'setup-links']) {
      await visit.open(`/console/tenants/${tenantId}/${name}`)
      await visit.expectAccessible()
    }
    await page.getByText('Revoke the link for Ada').waitFor()
    await visit.open(new URL(String(link.body.url)).pathname)
    await visit.expectAccessible()
    await page.getByRole('button', { name: 'Start' }).click()
    for (const name of ['?provider=okta', '/requests', '/doctor']) {
      await visit.open(`/console/set-up${name}`)
      await visit.expectAccessible()
    }
    await page.getByRole('button', { name: 'Examine' }).click()
    await page.getByText('checks passed').waitFor({ timeout: 120_000 })
    await visit.expectAccessible()
    await visit.close()
  },
)

/** Names as long as they may be. */
const NAMES = [
  'W'.repeat(200),
  'شركة '.repeat(40),
  '\u202eevil '.repeat(33),
  'a b '.repeat(50),
].map((name) => name.trim())
