import { expect, it } from 'vitest'
import { MARKUP } from '../contract/markup.cases.ts'
import { asText } from './as-text.ts'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()

it('a tenant is renamed, disabled, enabled, and deleted after the id is typed', async () => {
  await site.send('POST', '/api/tenants', { id: 'acme', name: 'Acme' })
  const { page, ...visit } = await browser.visit(site)
  await visit.signIn('/console/tenants')
  await page.getByRole('link', { name: 'Acme' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Acme Corporation')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByText('The tenant was renamed.').waitFor()
  await page.getByRole('button', { name: 'Disable tenant' }).click()
  await page.getByRole('heading', { name: 'Disable the tenant Acme Corporation?' }).waitFor()
  await visit.expectAccessible()
  await page.getByRole('button', { name: 'Disable tenant' }).click()
  await page.getByRole('button', { name: 'Enable tenant' }).click()
  await page.getByText('its tokens are accepted').waitFor()
  await visit.expectAccessible()
  await page.getByRole('button', { name: 'Delete tenant' }).click()
  await page.getByLabel('Type acme to confirm').fill('acm')
  await page.getByRole('button', { name: 'Delete tenant' }).click()
  await page.getByText('Nothing was changed.').waitFor()
  await visit.expectAccessible()
  await page.getByLabel('Type acme to confirm').fill('acme')
  await page.getByRole('button', { name: 'Delete tenant' }).click()
  await page.getByText('The tenant acme is being deleted.').waitFor()
  await visit.close()
})

it('names with a meaning in HTML are shown as text', async () => {
  for (const [at, name] of MARKUP.entries()) {
    expect((await site.send('POST', '/api/tenants', { id: `m${at}`, name })).status).toBe(201)
  }
  const { page, ...visit } = await browser.visit(site)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await visit.signIn('/console/tenants')
  const shown = await page.locator('tbody th a').allTextContents()
  expect(shown).toEqual(expect.arrayContaining(MARKUP.map(asText)))
  for (const [at, name] of MARKUP.entries()) {
    await visit.open(`/console/tenants/m${at}/settings`)
    expect(await page.locator('.side .name').textContent()).toBe(asText(name))
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(
      name.replaceAll(/[\r\n]/g, ''),
    )
    expect(await page.locator('script:not([src]), iframe, img, base, style').count()).toBe(0)
  }
  expect(new URL(page.url()).origin).toBe(site.origin)
  expect(dialogs).toEqual([])
  await visit.close()
})
