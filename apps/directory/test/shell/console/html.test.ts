import { afterAll, describe, expect, it } from 'vitest'
import { createProvisioningLog } from '../../../src/features/log/provisioning-log.ts'
import { createRecorder } from '../../../src/features/recordings/recorder.ts'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { createToken } from '../../../src/kernel/access/token-store.ts'
import { DAY } from '../../../src/kernel/durations.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { answerFault } from '../../../src/shell/console/fault-page.ts'
import { ConsoleError } from '../../../src/shell/console/faults.ts'
import {
  createBrowser,
  openConsole,
  type PageAnswer,
  signIn,
} from '../../support/console-client.ts'
import { sender } from '../../support/harness.ts'
import { outlineOf } from '../../support/page-outline.ts'

// Outlines of the pages are in __snapshots__. The HTML of a few pages, with every part of the layout and every component
// once, is in test/fixtures/console.
// After an intended change: npx vitest run apps/directory/test/shell/console/html.test.ts --update=all

const ORIGIN = 'https://directory.example.com'
const ACME = '/console/tenants/acme'
const URN = 'urn:example:2.0:Badge'
const BADGE = {
  resourceType: 'User',
  id: URN,
  name: 'Badge',
  attributes: [
    { name: 'number', type: 'string' },
    { name: 'color', type: 'string' },
  ],
}

let time = Date.parse('2031-05-01T10:00:00Z')
const now = () => time
/** Passes a second, so that lists have the order in which their entries were created. */
const tick = () => {
  time += 1_000
  return time
}

const store = await openSqlite(':memory:')
const provisioning = createProvisioningLog({ store, now, days: 30, rows: 1_000 })
const recorder = createRecorder({ store, now })
afterAll(async () => {
  await provisioning.close()
  await store.close()
})

const OPTIONS = { origin: ORIGIN, publicOrigin: ORIGIN, now }
const browser = await openConsole(store, { ...OPTIONS, provisioning, recorder })
for (const id of ['acme', 'idle', 'leaving']) {
  const name = { acme: 'Acme & Sons', idle: 'Idle', leaving: 'Leaving' }[id] ?? ''
  await store.write((db) => createTenant(db, { id, name, created_at: tick() }))
}
await post('/console/tenants/idle/disable', { confirmation: 'yes' })
await post('/console/tenants/leaving/delete', { confirmation: 'leaving' })

const provider = await createClientToken({ name: 'Okta', expiresAt: time + 30 * DAY })
await createClientToken({ name: 'Expired', expiresAt: time + 1 })
await createClientToken({ name: 'Soon', expiresAt: time + 2 * DAY })
const reader = await createClientToken({ name: 'Reader', expiresAt: null, access: 'read' })
const rotated = await opened(`${ACME}/tokens/${reader.id}/rotate`, {
  overlap: '3600',
  expiry: '90',
})
const renamed = await opened('/console/tenants/idle/rename', { name: 'Idle' })
await post('/console/administrators', { name: 'Auditor', access: 'read', expiry: 'never' })
const waiting = await post(`${ACME}/connect`, { provider: 'okta', name: 'Test', expiry: '90' })
const client = await post(`${ACME}/clients`, { name: 'Entra', profile: 'entra', access: 'write' })
await post(`${client}/rotate`, { overlap: '604800' })
await requestAccessToken(client.split('/').at(-1) ?? '', 'wrong')
await post(`${ACME}/schemas`, { schema: JSON.stringify(BADGE) })

const user = await create('/Users', {
  userName: 'bjensen',
  displayName: 'Babs Jensen',
  externalId: 'e-1',
  emails: [{ value: 'babs@example.com' }],
  [URN]: { number: '7' },
})
const inactive = await create('/Users', { userName: 'anna', active: false })
const inner = await create('/Groups', { displayName: 'Inner' })
const group = await create('/Groups', {
  displayName: 'Guides',
  externalId: 'g-1',
  members: [{ value: user, display: 'Babs' }, { value: inactive }, { value: inner }],
})
await send('POST', '/Users', { userName: 'BJensen', password: 'secret-word' })
await send('GET', '/Groups/none')
await send('PATCH', `/Users/${user}`, {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'unheard', value: 1 }],
})
await send('POST', '/Users', { userName: 5, title: 'x'.repeat(1_001) })
await send('GET', '/Users', undefined, { Authorization: 'Bearer mistyped' })
await post(`${ACME}/recordings`, {})
time += 2_000
await send('GET', `/Users/${user}`)
await recorder.flush()
await post(hrefIn((await browser.open(`${ACME}/recordings`)).text, 'stop'), {})
await post(`${ACME}/recordings`, {})
await provisioning.flush()
/** The pages of the logged requests, the newest first. */
const logged = await requestsIn(`${ACME}/requests`)
const [, cut = '', patched = '', missing = '', conflict = ''] = logged
const [visitor = ''] = await requestsIn('/console/requests')

describe('the whole HTML', () => {
  it.each([
    ['whole-list', '/console/tenants'],
    ['whole-page-of-a-tenant', `${ACME}/connect?provider=entra`],
  ])('the whole page has the stored HTML: %s', async (name, path) => {
    await expectHtml(name, (await browser.open(path)).text)
  })

  it('the whole page to sign in has the stored HTML', async () => {
    const { text } = await createBrowser(store, OPTIONS).open(
      '/console/sign-in?next=/console/about',
    )
    await expectHtml('whole-sign-in', text)
  })
})

describe("the HTML of the page's main part", () => {
  it.each([
    ['tenant', ACME],
    ['requests', `${ACME}/requests`],
    ['user', `${ACME}/users/${user}`],
  ])("the page's main part has the stored HTML: %s", async (name, path) => {
    await expectHtml(name, mainOf((await browser.open(path)).text))
  })

  it('a notice with a secret has the stored HTML', async () => {
    await expectHtml('notice-with-a-secret', mainOf(rotated.text))
  })

  it('a rejected form has the stored HTML', async () => {
    const fields = { name: '', profile: 'okta', access: 'read' }
    const { text } = await browser.post(`${ACME}/tokens`, fields)
    await expectHtml('rejected-token', mainOf(text))
  })
})

describe('the whole page', () => {
  it('the whole page with breadcrumbs has the stored outline', async () => {
    expectOutline((await browser.open(`${ACME}/clients`)).text)
  })

  it('the whole page for a link on another site has the stored outline', async () => {
    const other = { 'Sec-Fetch-Site': 'cross-site' }
    const { text } = await createBrowser(store, OPTIONS).open('/console/about', other)
    expectOutline(text)
  })
})

describe("the page's main part", () => {
  it.each([
    ['about', '/console/about'],
    ['tenant-month', `${ACME}?period=month`],
    ['tenant-disabled', '/console/tenants/idle'],
    ['tenant-deleted', '/console/tenants/leaving'],
    ['settings', `${ACME}/settings`],
    ['settings-disabled', '/console/tenants/idle/settings'],
    ['settings-deleted', '/console/tenants/leaving/settings'],
    ['connect', `${ACME}/connect`],
    ['connect-okta', `${ACME}/connect?provider=okta`],
    ['connect-other', `${ACME}/connect?provider=other`],
    ['connect-used', `${ACME}/connect?provider=okta&token=${provider.id}`],
    ['requests-without-a-match', `${ACME}/requests?user=none&status=5xx&from=2031-01-01T00:00`],
    ['requests-of-an-invalid-time', `${ACME}/requests?from=yesterday`],
    ['requests-of-unknown-senders', '/console/requests'],
    ['request-conflict', conflict],
    ['request-missing', missing],
    ['request-succeeded', patched],
    ['request-with-a-large-body', cut],
    ['request-for-an-access-token', logged.at(-1) ?? ''],
    ['request-of-a-stranger', visitor],
    ['recordings', `${ACME}/recordings`],
    ['recordings-none', '/console/tenants/idle/recordings'],
    ['users', `${ACME}/users`],
    ['users-found', `${ACME}/users?by=email&q=babs`],
    ['users-not-found', `${ACME}/users?by=externalId&q=x`],
    ['users-none', '/console/tenants/idle/users'],
    ['user-inactive', `${ACME}/users/${inactive}`],
    ['groups', `${ACME}/groups`],
    ['group', `${ACME}/groups/${group}`],
    ['group-empty', `${ACME}/groups/${inner}`],
    ['tokens', `${ACME}/tokens`],
    ['tokens-none', '/console/tenants/idle/tokens'],
    ['token', `${ACME}/tokens/${provider.id}`],
    ['token-rotated', `${ACME}/tokens/${reader.id}`],
    ['administrators', '/console/administrators'],
    ['clients', `${ACME}/clients`],
    ['clients-none', '/console/tenants/idle/clients'],
    ['client', client],
    ['schemas', `${ACME}/schemas`],
    ['schemas-none', '/console/tenants/idle/schemas'],
    ['schema', `${ACME}/schemas/${URN}`],
  ])("the page's main part has the stored outline: %s", async (_, path) => {
    expectMain(await browser.open(path))
  })

  it('the main part for a new token without a request has the stored outline', async () => {
    expectMain(await browser.open(waiting))
  })

  it('the main part with a notice has the stored outline', () => {
    expectMain(renamed)
  })

  it("the main part for the server's address has the stored outline", async () => {
    const { text } = await browser.open('/', { Accept: 'text/html' })
    expectOutline(mainOf(text))
  })

  it('the main part for a read-only token has the stored outline', async () => {
    const { text: token } = await store.write((db) =>
      createToken(db, {
        tenantId: null,
        name: 'reader',
        role: 'admin',
        profile: 'standard',
        access: 'read',
        now: time,
      }),
    )
    const auditor = createBrowser(store, OPTIONS)
    await signIn(auditor, token)
    expectMain(await auditor.open(`${ACME}/settings`))
  })
})

describe('the main part after a form that is rejected, or asks first', () => {
  it.each([
    ['rejected-sign-in', '/console/sign-in', { token: 'unknown' }],
    ['rejected-tenant', '/console/tenants', { id: 'No Id', name: '' }],
    ['rejected-duplicate', '/console/tenants', { id: 'acme', name: 'Again' }],
    ['rejected-name', `${ACME}/rename`, { name: '' }],
    ['rejected-deleted', '/console/tenants/leaving/rename', { name: 'New' }],
    ['rejected-confirmation', `${ACME}/delete`, { confirmation: 'Acme' }],
    ['question', `${ACME}/tokens/${reader.id}/revoke`, {}],
    ['rejected-connect', `${ACME}/connect`, { provider: 'okta', name: '', expiry: '90' }],
    ['rejected-rotation', `${ACME}/tokens/${reader.id}/rotate`, { overlap: '0' }],
    ['rejected-client', `${ACME}/clients`, { name: '', profile: 'okta', access: 'read' }],
    ['rejected-schema', `${ACME}/schemas`, { schema: '{"attributes":[]}' }],
    ['rejected-change', `${ACME}/schemas/${URN}`, { schema: '{' }],
    ['rejected-recording', `${ACME}/recordings`, {}],
  ])('the main part after a form has the stored outline: %s', async (_, path, fields) => {
    expectMain(await browser.post(path, { ...fields }))
  })
})

it.each([403, 404, 413, 429, 500, 503])(
  'the main part for the error %i has the stored outline',
  async (status) => {
    const answer = await answerFault(new ConsoleError(status, ''), 'the-request')
    expect(answer.status).toBe(status)
    expectOutline(mainOf(await answer.text()))
  },
)

/** Compares what the main part of a page shows with the snapshot of the test. */
function expectMain({ text }: PageAnswer): void {
  expectOutline(mainOf(text))
}

function expectOutline(page: string): void {
  expect(outlineOf(steady(page))).toMatchSnapshot()
}

/** Compares a page with the file of a name. */
async function expectHtml(name: string, text: string): Promise<void> {
  await expect(steady(text)).toMatchFileSnapshot(`../../fixtures/console/${name}.html`)
}

/** The title, the scripts and the main part of a page. */
function mainOf(page: string): string {
  const head = page.match(/^<title>.*<\/title>|<script type="module" [^\n]*/gm) ?? []
  const [main = ''] = /<main .*<\/main>/s.exec(page) ?? []
  return [...head, main, ''].join('\n')
}

/** Replaces what differs in each run: ids by numbers, secrets, hashes and durations. */
function steady(page: string): string {
  const ids: string[] = []
  return page
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id)
      return `id-${ids.indexOf(id) + 1}`
    })
    .replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, 'secret')
    .replaceAll(/\.[0-9a-f]{16}\./g, '.hash.')
    .replaceAll(/\d+\.\d ms/g, '1.0 ms')
    .replaceAll(/W\/\\&quot;\w{33}\\/g, 'W/\\&quot;hash\\')
    .replaceAll(/(<dt>(?:Version|Runtime)<\/dt><dd>)[^<]+/g, '$1…')
}

/** Posts a form, and returns the page that it opens. */
async function post(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  tick()
  const { status, headers } = await browser.post(path, fields)
  expect(status).toBe(303)
  return headers.get('Location') ?? ''
}

/** Posts a form, and opens the next page. */
async function opened(path: string, fields: Readonly<Record<string, string>>): Promise<PageAnswer> {
  return await browser.open(await post(path, fields))
}

/** Requests an access token (RFC 6749 §4.4.2). */
async function requestAccessToken(id: string, secret: string): Promise<void> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  const request = new Request(`${ORIGIN}/scim/oauth/token`, { method: 'POST', body })
  expect((await browser.directory.fetch(request)).status).toBe(401)
}

async function createClientToken(options: {
  readonly name: string
  readonly expiresAt: number | null
  readonly access?: 'read'
}) {
  const { row, text } = await store.write((db) =>
    createToken(db, { tenantId: 'acme', role: 'client', profile: 'okta', now: tick(), ...options }),
  )
  return { id: row.id, text }
}

/** Sends a request with the token of the provider. */
async function send(...request: Parameters<ReturnType<typeof sender>>) {
  tick()
  return await sender(browser.directory, provider.text)(...request)
}

async function create(path: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  return String((await send('POST', path, body)).body.id)
}

function hrefIn(page: string, action: string): string {
  return RegExp(`action="([^"]+/${action})"`).exec(page)?.[1] ?? ''
}

async function requestsIn(path: string): Promise<readonly string[]> {
  const { text } = await browser.open(path)
  const links = text.matchAll(/class="time"><a href="([^"]+)"/g)
  return Array.from(links, ([, href = '']) => href)
}
