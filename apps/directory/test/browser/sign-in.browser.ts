import { expect, it } from 'vitest'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()

it('an administrator signs in, creates a tenant, and signs out', async () => {
  const { page, ...visit } = await browser.visit(site)
  await visit.signIn('/console/about')
  expect(new URL(page.url()).pathname).toBe('/console/about')
  await page.getByRole('link', { name: 'Tenants' }).click()
  await page.getByLabel('Id', { exact: true }).fill('acme')
  await page.getByLabel('Name').fill('Acme & <b>Sons</b>')
  await page.getByRole('button', { name: 'Create tenant' }).click()
  await page.getByText('The tenant acme was created.').waitFor()
  await page.reload()
  expect(await page.getByText('was created').count()).toBe(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await visit.open('/console/tenants')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await visit.close()
})

it('a link on another site opens the page for a signed-in administrator', async () => {
  const { page, ...visit } = await browser.visit(site)
  await visit.signIn()
  const link = `<a href="${site.origin}/console/about">About</a>`
  await page.goto(`data:text/html,${encodeURIComponent(link)}`)
  await page.getByRole('link').click()
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await visit.close()
})

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('axe finds nothing in %s, %i pixels wide', async (colorScheme, width) => {
  const visit = await browser.visit(site, { colorScheme, viewport: { width, height: 800 } })
  await visit.open('/console/sign-in')
  await visit.expectAccessible()
  await visit.signIn()
  for (const path of PATHS) {
    await visit.open(path)
    await visit.expectAccessible()
  }
  await visit.close()
})

it('sign-in works without JavaScript', async () => {
  const { page, ...visit } = await browser.visit(site, { javaScriptEnabled: false })
  await visit.signIn('/console/tenants')
  await page.getByLabel('Id', { exact: true }).fill('plain')
  await page.getByLabel('Name').fill('Plain')
  await page.getByRole('button', { name: 'Create tenant' }).click()
  await page.getByText('The tenant plain was created.').waitFor()
  await visit.close()
})

/** The pages that everyone with a token can open; a new page needs a line. */
const PATHS = [
  '/',
  '/console/tenants',
  '/console/tenants/default',
  '/console/tenants/default/requests',
  '/console/tenants/default/requests?from=2026-01-01T00:00',
  '/console/tenants/default/connection',
  '/console/tenants/default/webhooks',
  '/console/tenants/default/setup-links',
  '/console/tenants/default/recordings',
  '/console/tenants/default/users',
  '/console/tenants/default/groups',
  '/console/tenants/default/connect',
  '/console/tenants/default/connect?provider=entra',
  '/console/tenants/default/tokens',
  '/console/tenants/default/clients',
  '/console/tenants/default/schemas',
  '/console/requests',
  '/console/administrators',
  '/console/tenants/default/connect?provider=okta',
  '/console/about',
  '/console/nowhere',
]
