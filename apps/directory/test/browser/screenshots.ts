import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { readRuns } from '../../src/recordings/provider-runs.ts'
import { replayRun } from '../support/replay.ts'
import { client } from '../support/spawned-server.ts'
import { openBrowser } from './browser.ts'
import { type Site, startDirectory } from './site.ts'

const folder = new URL('../../docs/', import.meta.url)

/** Each picture of the README, and the path of its page. */
const PICTURES = [
  ['console-tenants', () => '/console/tenants'],
  [
    'console-connect',
    (token: string) => `/console/tenants/acme/connect?provider=entra&token=${token}`,
  ],
  ['console-requests', () => '/console/tenants/acme/requests?status=errors'],
] as const

it('writes the pictures of the console', async () => {
  const site = await startDirectory()
  const browser = await openBrowser()
  const token = await connectProvider(site)
  const visit = await browser.visit(site, { viewport: { width: 1100, height: 700 } })
  await visit.signIn()
  for (const [name, pathOf] of PICTURES) {
    await visit.open(pathOf(token))
    // The random port would change the picture, and an identity provider requires HTTPS.
    await visit.page.evaluate<void>(`document.querySelector('.problem')?.remove()`)
    await visit.page.evaluate<void>(
      `document.body.innerHTML = document.body.innerHTML.replaceAll(${JSON.stringify(site.origin)}, 'https://directory.example.com')`,
    )
    await visit.page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)) })
  }
  await browser.close()
  await site.stop()
})

/** Creates a tenant, whose provider sends a recorded run, and returns the id of its token. */
async function connectProvider({ origin, send }: Site): Promise<string> {
  await send('POST', '/api/tenants', { id: 'acme', name: 'Acme' })
  await send('POST', '/api/tenants', { id: 'globex', name: 'Globex' })
  const body = { tenantId: 'acme', name: 'Microsoft Entra ID', profile: 'entra' }
  const expiresAt = new Date(Date.now() + YEAR).toISOString()
  const created = await send('POST', '/api/tokens', { ...body, expiresAt })
  const provider = client({ origin, token: String(created.body.token) })
  for (const [name, run] of readRuns()) {
    if (name === RUN) await replayRun(name, run, { origin, token: String(created.body.token) })
  }
  for (const [userName, displayName] of PEOPLE) {
    await provider('POST', '/Users', {
      userName: `${userName}@example.com`,
      displayName,
      active: true,
    })
  }
  return String(created.body.id)
}

const RUN = 'entra-aadOptscim062020'
const YEAR = 365 * 24 * 60 * 60 * 1_000
const PEOPLE = [
  ['ada', 'Ada Lovelace'],
  ['grace', 'Grace Hopper'],
  ['barbara', 'Barbara Liskov'],
  ['radia', 'Radia Perlman'],
] as const
