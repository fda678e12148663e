import { expect, it } from 'vitest'
import { client } from '../support/spawned-server.ts'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()

it('a token is created, rotated with an overlap, and revoked; each secret is shown once', async () => {
  const visit = await browser.visit(site, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  const secret = page.locator('#secret')
  await visit.signIn('/console/tenants/default/tokens')
  await page.getByLabel('Name').fill('Okta')
  await page.getByRole('button', { name: 'Create token' }).click()
  const old = (await secret.textContent()) ?? ''
  await visit.expectAccessible()

  await page.getByRole('link', { name: 'Okta' }).click()
  const oldPage = page.url()
  await visit.expectAccessible()
  await page.getByLabel('Accept the old token for').selectOption('one hour')
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page.getByText('The token Okta was rotated.').waitFor()
  const renewed = (await secret.textContent()) ?? ''
  expect(renewed).not.toBe(old)
  await page.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(renewed)
  await visit.expectAccessible()
  expect([await statusOf(old), await statusOf(renewed)]).toEqual([200, 200])

  await page.reload()
  expect(await secret.count()).toBe(0)
  expect(await page.content()).not.toContain(renewed)

  await visit.open(oldPage)
  expect(await page.getByRole('button', { name: 'Rotate' }).count()).toBe(0)
  await visit.expectAccessible()
  await page.locator('dt:text-is("Replaced by") + dd a').click()
  await page.locator('dt:text-is("Replaces") + dd', { hasText: idIn(oldPage) }).waitFor()
  const renewedPage = page.url()

  for (const [address, token] of [
    [oldPage, old],
    [renewedPage, renewed],
  ] as const) {
    await visit.open(address)
    await page.getByRole('button', { name: 'Revoke this token' }).click()
    await page.getByRole('heading', { name: 'Revoke the token Okta?' }).waitFor()
    await page.getByRole('button', { name: 'Revoke this token' }).click()
    await page.getByText('The token Okta was revoked.').waitFor()
    expect(await statusOf(token)).toBe(401)
  }
  expect(await page.getByRole('link', { name: 'Okta' }).count()).toBe(0)
  await visit.expectAccessible()
  await visit.close()
})

/** The status of the answer to a request with a token. */
async function statusOf(token: string): Promise<number> {
  return (await client({ origin: site.origin, token })('GET', '/Users')).status
}

/** The id in the URL of a token's page. */
function idIn(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1)
}
