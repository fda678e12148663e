import { expect, it } from 'vitest'
import { startSite } from './start-site.ts'

const PAGE = '/console/tenants/default/requests'
const HOSTILE = '<img src=x onerror="document.title=1">'

const { site, browser } = await startSite()

it('requests appear while the page is open, and their values are never HTML', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page, ...visit } = await browser.visit(site, { permissions })
  await visit.signIn(PAGE)
  await page.getByText('Live', { exact: true }).waitFor()
  await site.send('POST', '/Users', { userName: HOSTILE })
  await page.getByText('Live · 1 new request').waitFor()
  const rows = page.locator('#requests tbody tr')
  expect(await rows.first().textContent()).toContain(HOSTILE)
  expect(await rows.first().locator('img').count()).toBe(0)
  await site.send('POST', '/Users', { userName: HOSTILE })
  await page.getByText('Live · 2 new requests').waitFor()
  expect(await rows.first().textContent()).toContain('uniqueness')
  expect(await rows.first().locator('[title*="Another resource has the same value"]').count()).toBe(
    1,
  )
  await rows.first().getByRole('button', { name: 'Copy as curl' }).click()
  await rows.first().getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toMatch(/^curl -X POST .*\/scim\/tenants\/default\/v2\/Users$/)
  await visit.expectAccessible()
  const live = await rows.first().innerHTML()
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
  const steady = (row: string) =>
    row.replaceAll('Copied', 'Copy as curl').replace('#check', '#copy')
  expect(steady(await rows.first().innerHTML())).toBe(steady(live))
  await rows.first().getByRole('link').click()
  await page.getByText('Another resource has the same value').waitFor()
  await visit.expectAccessible()
  await visit.close()
})

it('a paused list stays as it is, and continues without a gap', async () => {
  const { page, ...visit } = await browser.visit(site)
  await visit.signIn(PAGE)
  await page.getByRole('button', { name: 'Pause' }).click()
  const rows = page.locator('#requests tbody tr')
  const before = await rows.count()
  await site.send('GET', '/Users/paused')
  await page.waitForTimeout(2_000)
  expect(await rows.count()).toBe(before)
  await page.getByText('Paused').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Live · 1 new request').waitFor()
  expect(await rows.count()).toBe(before + 1)
  await visit.close()
})

it('the filters are in the URL, so a view can be shared', async () => {
  const { page, ...visit } = await browser.visit(site)
  await visit.signIn(PAGE)
  await page.getByLabel('Status').selectOption('errors')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.waitForURL(/status=errors/)
  expect(await page.locator('#requests tbody tr').count()).toBeGreaterThan(0)
  await visit.close()
})
