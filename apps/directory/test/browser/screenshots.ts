import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { readRuns } from '../support/provider-runs/provider-runs.ts'
import { replayRun } from '../support/replay.ts'
import { client } from '../support/spawned-server.ts'
import { openBrowser, type Visit } from './browser.ts'
import { type Site, startDirectory } from './site.ts'

const TENANT = '/console/tenants/acme'
/** The pictures of the README, and the paths of their pages. */
const PICTURES = [
  ['console-tenants', () => '/console/tenants'],
  ['console-overview', () => TENANT],
  ['console-connect', (token: string) => `${TENANT}/connect?provider=entra&token=${token}`],
  ['console-requests', () => `${TENANT}/requests`],
  ['console-request', (_: string, rejected: string) => `${TENANT}/requests/${rejected}`],
] as const
/** Every page, for people who look at them. */
const PAGES = [
  ['root', '/'],
  ['tenants', '/console/tenants'],
  ['overview', TENANT],
  ['requests', `${TENANT}/requests`],
  ['requests-filtered', `${TENANT}/requests?status=errors&from=2026-01-01T00:00`],
  ['requests-none', '/console/tenants/default/requests'],
  ['request', `${TENANT}/requests/$rejected`],
  ['settings', `${TENANT}/settings`],
  ['changes', `${TENANT}/connection`],
  ['changes-paused', '/console/tenants/globex/connection'],
  ['recordings', '/console/tenants/globex/recordings'],
  ['recordings-none', `${TENANT}/recordings`],
  ['users', `${TENANT}/users`],
  ['users-none', '/console/tenants/globex/users'],
  ['user', `${TENANT}/users/$user`],
  ['groups', `${TENANT}/groups`],
  ['group', `${TENANT}/groups/$group`],
  ['schemas', `${TENANT}/schemas`],
  ['connect', `${TENANT}/connect`],
  ['connect-entra', `${TENANT}/connect?provider=entra`],
  ['connect-waiting', `/console/tenants/globex/connect?provider=okta&token=$waiting`],
  ['tokens', `${TENANT}/tokens`],
  ['tokens-none', '/console/tenants/globex/tokens'],
  ['token', `${TENANT}/tokens/$token`],
  ['clients', `${TENANT}/clients`],
  ['setup-links', `${TENANT}/setup-links`],
  ['webhooks', '/console/tenants/globex/webhooks'],
  ['webhook', '/console/tenants/globex/webhooks/$webhook'],
  ['webhooks-none', `${TENANT}/webhooks`],
  ['unknown-senders', '/console/requests'],
  ['administrators', '/console/administrators'],
  ['about', '/console/about'],
  ['not-found', '/console/nowhere'],
] as const

/** The pages of a set-up link. */
const SETUP_PAGES = [
  ['setup-connect', '/console/set-up?provider=okta'],
  ['setup-requests', '/console/set-up/requests'],
  ['setup-doctor', '/console/set-up/doctor'],
] as const

it("the README's pictures are written", async () => {
  const { site, browser, names } = await start()
  const visit = await browser.visit(site, { viewport: { width: 1280, height: 800 } })
  await visit.signIn()
  for (const [name, pathOf] of PICTURES) {
    await visit.open(pathOf(names.token ?? '', names.rejected ?? ''))
    if (name === 'console-requests') await visit.page.getByText('Live').waitFor()
    // The random port would change the picture, and an identity provider requires HTTPS.
    await visit.page.evaluate<void>(`document.querySelector('.alert-info')?.remove()`)
    await visit.page.evaluate<void>(
      `document.body.innerHTML = document.body.innerHTML.replaceAll(${JSON.stringify(site.origin)}, 'https://directory.example.com')`,
    )
    const path = fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url))
    await visit.page.screenshot({ path })
  }
  await browser.close()
  await site.stop()
})

it.each(['light', 'dark'] as const)('every page is written in %s', async (colorScheme) => {
  const { site, browser, names } = await start()
  const folder = new URL('../../../../dist/screenshots/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const pathOf = (name: string, width: number) =>
    fileURLToPath(new URL(`${name}-${width}-${colorScheme}.png`, folder))
  const draw = async ({ page, open }: Visit, name: string, path: string): Promise<void> => {
    await open(path.replace(/\$(\w+)/, (_, key: string) => names[key] ?? ''))
    for (const width of [390, 834, 1_440]) {
      await page.setViewportSize({ width, height: 844 })
      await page.screenshot({ path: pathOf(name, width), fullPage: true })
    }
  }
  const visit = await browser.visit(site, { colorScheme })
  await draw(visit, 'sign-in', '/console/sign-in')
  await visit.signIn()
  for (const [name, path] of PAGES) await draw(visit, name, path)
  await visit.open(TENANT)
  await visit.page.keyboard.press('?')
  await visit.page.waitForTimeout(500)
  await visit.page.screenshot({ path: pathOf('shortcuts', 1_440) })
  await visit.page.keyboard.press('Escape')
  await visit.page.setViewportSize({ width: 390, height: 844 })
  await visit.page.getByRole('button', { name: 'Menu' }).click()
  await visit.page.screenshot({ path: pathOf('menu', 390) })
  await draw(visit, 'setup-link', new URL(names.link ?? '').pathname)
  await visit.page.getByRole('button', { name: 'Start' }).click()
  for (const [name, path] of SETUP_PAGES) await draw(visit, name, path)
  await visit.page.getByRole('button', { name: 'Examine' }).click()
  await visit.page.getByText('checks passed').waitFor()
  await visit.page.screenshot({ path: pathOf('setup-verdict', 1_440) })
  await browser.close()
  await site.stop()
})

/** Starts a server with two tenants, and a browser. `names` has ids in the paths of pages. */
async function start() {
  const site = await startDirectory()
  const names = await connectProvider(site)
  return { site, browser: await openBrowser(), names }
}

/** Creates tenants, whose provider sends a recorded run, and returns the ids in the paths of pages. */
async function connectProvider({ origin, send }: Site): Promise<Readonly<Record<string, string>>> {
  await send('POST', '/api/tenants', { id: 'acme', name: 'Acme Inc' })
  await send('POST', '/api/tenants', { id: 'globex', name: 'Globex' })
  const body = { tenantId: 'acme', name: 'Microsoft Entra ID', profile: 'entra' }
  const expiresAt = new Date(Date.now() + YEAR).toISOString()
  const created = await send('POST', '/api/tokens', { ...body, expiresAt })
  const waiting = await send('POST', '/api/tokens', { tenantId: 'globex', name: 'Okta' })
  const link = await send('POST', '/api/setup-links', { tenantId: 'acme', name: 'Ada' })
  const globex = '/api/tenants/globex'
  await send('PATCH', `${globex}/connection`, { state: 'paused' })
  await send('POST', `${globex}/recordings`)
  const webhook = await send('POST', `${globex}/webhooks`, { url: 'https://example.com/hook' })
  const token = String(created.body.token)
  const provider = client({ origin, token })
  for (const [name, run] of readRuns()) {
    if (name === RUN) await replayRun(name, run, { origin, token })
  }
  const ids: string[] = []
  for (const [userName, displayName] of PEOPLE) {
    const sent = { userName: `${userName}@example.com`, displayName, active: true }
    ids.push(String((await provider('POST', '/Users', sent)).body.id))
  }
  const [user = ''] = ids
  const group = await provider('POST', '/Groups', {
    displayName: 'Engineers',
    members: ids.map((value) => ({ value })),
  })
  const Operations = [{ op: 'replace', path: 'emails[type eq "work"].valu', value: 'ada' }]
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  await provider('PATCH', `/Users/${user}`, { schemas, Operations })
  await provider('GET', `/Users?filter=${encodeURIComponent('userName like "ada"')}`)
  await provider('POST', '/Users', { userName: 'ada@example.com', displayName: 'Ada' })
  await client({ origin, token: 'mistyped' })('GET', '/Users')
  const rejected = await newestRejected(send)
  return {
    webhook: String(webhook.body.id),
    link: String(link.body.url),
    token: String(created.body.id),
    waiting: String(waiting.body.id),
    user,
    group: String(group.body.id),
    rejected,
  }
}

/** The number of the newest rejected request, as soon as it is logged. */
async function newestRejected(send: Site['send']): Promise<string> {
  for (;;) {
    const { body } = await send('GET', '/api/requests?tenantId=acme&status=errors&count=1')
    const [found] = JSON.parse(JSON.stringify(body.requests ?? []))
    if (found?.scimType === 'uniqueness') return found.number
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const RUN = 'entra-aadOptscim062020'
const YEAR = 365 * 24 * 60 * 60 * 1_000
const PEOPLE = [
  ['ada', 'Ada Lovelace'],
  ['grace', 'Grace Hopper'],
  ['barbara', 'Barbara Liskov'],
  ['radia', 'Radia Perlman'],
] as const
