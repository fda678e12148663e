import { expect, it } from 'vitest'
import { readRuns } from '../support/provider-runs/provider-runs.ts'
import { replayRun } from '../support/replay.ts'
import { client } from '../support/spawned-server.ts'
import type { Visit } from './browser.ts'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()

it('an administrator connects Entra ID, and sees the first request live', async () => {
  const visit = await browser.visit(site, { permissions: ['clipboard-read', 'clipboard-write'] })
  const token = await createToken(visit, 'live')
  await visit.page.locator('.secret + button').click()
  expect(await visit.page.evaluate<string>('navigator.clipboard.readText()')).toBe(token)
  await visit.page.getByText('Waiting for the first request …').waitFor()
  await visit.page.getByText('If the provider reports an error').waitFor()
  expect(await visit.page.getByRole('link', { name: 'Watch the requests' }).count()).toBe(0)
  await visit.expectAccessible()

  const name = 'entra-aadOptscim062020'
  const run = readRuns().get(name)
  if (run === undefined) throw new Error(`the run ${name} does not exist`)
  await replayRun(name, run, { origin: site.origin, token })
  const hint = visit.page.getByText('If the provider reports an error')
  const next = visit.page.getByRole('link', { name: 'Watch the requests' })
  await visit.page.getByText('Seen: Test Connection, 200').waitFor()
  expect([await hint.count(), await next.isVisible()]).toEqual([0, true])
  await visit.page.reload()
  await visit.page.getByText('Seen: Test Connection').waitFor()
  expect(await visit.page.content()).not.toContain(token)
  await visit.expectAccessible()
  await visit.close()
})

it('without JavaScript, the first request is seen after a reload', async () => {
  const visit = await browser.visit(site, { javaScriptEnabled: false })
  const token = await createToken(visit, 'reloaded')
  await visit.page.getByText('Waiting for the first request. Reload').waitFor()
  expect(await visit.page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
  const provider = client({ origin: site.origin, token })
  expect((await provider('GET', '/Users?filter=userName eq "x"')).status).toBe(200)
  await expect
    .poll(async () => {
      await visit.page.reload()
      return await visit.page.getByText('Seen: ').count()
    })
    .toBe(1)
  await visit.close()
})

/** Creates a tenant and the token of Entra ID in it, and returns the token. */
async function createToken({ page, signIn }: Visit, tenant: string): Promise<string> {
  await signIn('/console/tenants')
  await page.getByLabel('Id', { exact: true }).fill(tenant)
  await page.getByLabel('Name').fill(tenant)
  await page.getByRole('button', { name: 'Create tenant' }).click()
  await page.getByRole('link', { name: 'Connect' }).click()
  await page.getByRole('link', { name: 'Microsoft Entra ID' }).click()
  await page.getByText(`${site.origin}/scim/v2?aadOptscim062020`).waitFor()
  await page.getByRole('button', { name: 'Create token' }).click()
  return (await page.locator('.secret').textContent()) ?? ''
}
