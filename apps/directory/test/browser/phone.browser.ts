import { beforeAll, expect, it } from 'vitest'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()
/** A window as wide as most telephones. */
const PHONE = { viewport: { width: 390, height: 844 } }
const REQUESTS = '/console/tenants/company-with-a-long-name/requests'

beforeAll(async () => {
  const id = 'company-with-a-long-name'
  await site.send('POST', '/api/tenants', { id, name: 'Company' })
  await site.send('GET', `/Users?filter=${encodeURIComponent('userName like "a"')}`)
  const created = await site.send('POST', '/api/tokens', { tenantId: id, name: 'a' })
  const headers = { Authorization: `Bearer ${created.body.token}` }
  for (const userName of ['anna', 'anna']) await site.send('POST', '/Users', { userName }, headers)
})

it("a page fits into a phone's window", async () => {
  const { page, ...visit } = await browser.visit(site, PHONE)
  await visit.signIn('/console/tenants')
  await visit.expectAccessible()
  const id = page.getByRole('code').filter({ hasText: 'company-with-a-long-name' })
  expect((await id.boundingBox())?.height).toBeLessThan(24)
  const intro = await page.locator('caption span').boundingBox()
  expect((intro?.x ?? 0) + (intro?.width ?? 999)).toBeLessThanOrEqual(390)
  await visit.open(REQUESTS)
  await page.getByText('Live', { exact: true }).waitFor()
  await visit.expectAccessible()
  const [row] = await page.locator('#requests tbody tr').all()
  const box = await row?.boundingBox()
  expect(box?.y).toBeLessThan(450)
  await row?.getByRole('link').first().click()
  const reason = page.getByText('Another resource has the same value')
  expect((await reason.boundingBox())?.y).toBeLessThan(600)
  await visit.expectAccessible()
  await visit.close()
})

it("a filter error's mark is below the fault", async () => {
  const { page, ...visit } = await browser.visit(site)
  await visit.signIn('/console/tenants/default/requests')
  const excerpt = 'userName like "a"\n         ^'
  const row = page.locator('#requests tbody tr').first()
  expect(await row.innerText()).not.toContain('^')
  await row.getByRole('link').first().click()
  await page.getByText('Why it was rejected').waitFor()
  expect(await page.locator('.alert .excerpt').innerText()).toBe(excerpt)
  const family = `getComputedStyle(document.querySelector('.excerpt')).fontFamily`
  expect(await page.evaluate<string>(family)).toContain('mono')
  await visit.close()
})
