import { expect, it } from 'vitest'
import { client } from '../support/spawned-server.ts'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()

const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

it.each([
  ['a window', { viewport: { width: 1_100, height: 800 } }],
  ['the window of a telephone, in the dark', PHONE],
])(
  'the overview fits into %s: the state first, and the charts as wide as the page',
  async (...row) => {
    const [, options] = row
    const id = `t${options.viewport.width}`
    await site.send('POST', '/api/tenants', { id, name: 'Acme' })
    const created = await site.send('POST', '/api/tokens', { tenantId: id, name: 'a' })
    const send = client({ origin: site.origin, token: String(created.body.token) })
    const { page, ...visit } = await browser.visit(site, options)
    await visit.signIn(`/console/tenants/${id}`)
    await page.getByText('Waiting for the first request.').waitFor()
    await visit.expectAccessible()
    for (const userName of ['a', 'b', 'c', 'd', 'd']) await send('POST', '/Users', { userName })
    await expect
      .poll(async () => {
        await visit.open(`/console/tenants/${id}?period=week`)
        return await page.locator('.alert').innerText()
      })
      .toContain('Healthy: last request just now, 1 error in 24 hours.')
    await visit.expectAccessible()
    const reason = await page.getByText('userName is already taken').boundingBox()
    expect((reason?.x ?? 999) + (reason?.width ?? 999)).toBeLessThanOrEqual(options.viewport.width)
    expect(reason?.y).toBeLessThan(options.viewport.height)
    const chart = page.getByRole('img', { name: 'Requests in 7 days' })
    const [width, main] = [await chart.boundingBox(), await page.locator('main').boundingBox()]
    expect(width?.width).toBeGreaterThan(0.8 * (main?.width ?? 0))
    await page.getByText('The numbers of the charts').click()
    expect(await page.locator('details tbody tr').count()).toBe(7)
    await visit.expectAccessible()
    await visit.open(`/console/tenants/${id}/settings`)
    await visit.expectAccessible()
    await visit.open('/console/tenants')
    expect(await page.locator('tbody tr', { hasText: id }).innerText()).toContain('healthy')
    await visit.expectAccessible()
    await visit.close()
  },
)
