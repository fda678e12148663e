import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import { HOUR } from '../../src/kernel/durations.ts'
import { createClientLimits } from '../../src/kernel/rate-limit/client-limits.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { SECTIONS } from '../../src/shell/sections.ts'
import { type Browser, type ConsoleTestOptions, createBrowser } from '../support/console-client.ts'
import { connect, sender } from '../support/harness.ts'

const START = Date.parse('2026-11-22T12:00:00Z')
const HOME = '/console/set-up'

/** The links with which a customer's own administrator connects a provider. */
export function setupLinkContract(storeOf: () => Store): void {
  /** A tenant, an administrator of the API, and a browser that has not signed in. */
  const start = async () => {
    const store = storeOf()
    const clock = { time: START }
    const now = () => clock.time
    const admin = await connect(store, { role: 'admin', now })
    const { tenantId } = admin
    const log = createProvisioningLog({ store, now, days: 30, rows: 1_000, bytes: 2 ** 20 })
    const browse = (options: ConsoleTestOptions = {}) =>
      createBrowser(store, { now, provisioning: log, ...options })
    const link = async (options: object = {}) => {
      const created = await admin.send('POST', '/api/setup-links', {
        tenantId,
        name: 'Ada of Acme',
        ...options,
      })
      expect(created.status).toBe(201)
      const id = String(created.body.id)
      return { id, path: new URL(String(created.body.url)).pathname }
    }
    return { store, clock, admin, tenantId, log, browse, link }
  }

  const isOpen = async (browser: Browser) => (await browser.open(HOME)).status === 200

  it("a link opens one session, which connects a provider to the link's tenant", async () => {
    const { browse, link, log, tenantId } = await start()
    const { path } = await link()
    const browser = browse()
    const { status, text } = await browser.open(path)
    expect(status).toBe(200)
    expect(text).toContain(`action="${path}"`)
    expect(text).toContain(`(<code>${tenantId}</code>)`)
    expect(browser.cookies.size).toBe(0)
    const opened = await browser.post(path, {})
    expect([opened.status, opened.headers.get('Location')]).toEqual([303, HOME])
    expect(opened.headers.get('Set-Cookie')).toMatch(
      /^plumbline-setup=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    const steps = await browser.open(`${HOME}?provider=okta`)
    expect(steps.text).toContain('http://localhost/scim/v2</code>')
    const fields = { provider: 'okta', name: 'Okta', expiry: '90' }
    const created = await browser.post(`${HOME}/token`, fields)
    const place = created.headers.get('Location') ?? ''
    const shown = await browser.open(place)
    const token = secretIn(shown.text)
    const again = await browser.open(place)
    expect(again.text).not.toContain(token)
    expect(again.text).toContain('Waiting for the first request')

    const provider = sender(browser.directory, token)
    expect((await provider('POST', '/Users', { userName: 'anna' })).status).toBe(201)
    expect((await provider('POST', '/Users', { userName: 'anna' })).status).toBe(409)
    await log.flush()
    expect((await browser.open(place)).text).toContain('Seen: a request')
    const requests = await browser.open(`${HOME}/requests`)
    expect(requests.text.match(/anna/g)?.length).toBeGreaterThan(1)
    expect(requests.text).toContain('uniqueness')
    await log.close()
  })

  it('an opened link cannot be opened again, also in another browser', async () => {
    const { browse, link } = await start()
    const { path } = await link()
    const [one, two] = [browse(), browse()]
    const statuses = await Promise.all([one.post(path, {}), two.post(path, {})])
    expect(statuses.map(({ status }) => status).sort()).toEqual([303, 410])
    expect([await isOpen(one), await isOpen(two)].sort()).toEqual([false, true])
    for (const browser of [one, two, browse()]) {
      expect((await browser.open(path)).text).toContain('already opened')
      expect((await browser.post(path, {})).status).toBe(410)
    }
  })

  it("a link and its session end at the link's expiry", async () => {
    const { browse, link, clock } = await start()
    const [opened, unopened] = [
      await link({ lifetimeSeconds: 3_600 }),
      await link({ lifetimeSeconds: 3_600 }),
    ]
    const browser = browse()
    await browser.post(opened.path, {})
    clock.time = START + HOUR - 1
    expect(await isOpen(browser)).toBe(true)
    clock.time = START + HOUR
    expect(await isOpen(browser)).toBe(false)
    expect((await browse().post(unopened.path, {})).status).toBe(410)
    expect((await browse().open(unopened.path)).text).toContain('has expired')
  })

  it('a revoked link and its session end, and the token stays valid', async () => {
    const { admin, browse, link } = await start()
    const { id, path } = await link()
    const browser = browse()
    await browser.post(path, {})
    const token = await makeToken(browser)
    expect((await admin.send('DELETE', `/api/setup-links/${id}`)).status).toBe(204)
    expect((await admin.send('DELETE', `/api/setup-links/${id}`)).status).toBe(404)
    expect(await isOpen(browser)).toBe(false)
    expect((await browse().open(path)).status).toBe(404)
    expect((await sender(browser.directory, token)('GET', '/Users')).status).toBe(200)
  })

  it("a link's second token replaces the first", async () => {
    const { admin, browse, link, tenantId } = await start()
    const { path } = await link()
    const browser = browse()
    await browser.post(path, {})
    const [first, second] = [await makeToken(browser), await makeToken(browser)]
    expect((await sender(browser.directory, first)('GET', '/Users')).status).toBe(401)
    expect((await sender(browser.directory, second)('GET', '/Users')).status).toBe(200)
    const { body } = await admin.send('GET', `/api/setup-links?tenantId=${tenantId}`)
    const { body: listed } = await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)
    expect(body.links).toMatchObject([{ openedAt: '2026-11-22T12:00:00.000Z' }])
    expect(Object(listed.tokens).map(({ id }: never) => id)).toContain(body.links?.[0]?.tokenId)
  })

  it("a link's session sees no console page, no API operation and no other tenant", async () => {
    const { admin, browse, link, tenantId, log } = await start()
    const { path } = await link()
    const browser = browse()
    await browser.post(path, {})
    await makeToken(browser)
    // Another client of the tenant, and one of another tenant.
    const others = [admin, await connect(storeOf())]
    for (const { token } of others) {
      await sender(browser.directory, token)('POST', '/Users', { userName: 'someone' })
    }
    await log.flush()
    const setup = browser.cookies.get('plumbline-setup') ?? ''
    browser.cookies.set('plumbline-session', setup)
    const pages = SECTIONS.flatMap(({ pages }) => pages)
    const all = pages
      .filter(({ route }) => route.method === 'GET')
      .map(({ route }) => route.pattern.source)
    expect(all.length).toBeGreaterThan(20)
    for (const pattern of all) {
      const page = await browser.open(pattern.replace(':tenantId', tenantId).replace(/:\w+/g, '1'))
      expect([pattern, page.status]).toEqual([pattern, 303])
      expect(page.headers.get('Location')).toMatch(/^\/console\/sign-in/)
    }
    for (const operation of ['/api/tokens', '/api/tenants', `/api/requests?tenantId=${tenantId}`]) {
      expect((await browser.open(operation)).status).toBe(401)
    }
    for (const page of ['', '/requests', '/doctor']) {
      const { status, text } = await browser.open(`${HOME}${page}?tenantId=${others[1]?.tenantId}`)
      expect(status).toBe(200)
      expect(text).not.toContain('someone')
      for (const { tenantId: other } of others.slice(1)) expect(text).not.toContain(other)
      expect(text).not.toMatch(/\/console\/(?!set-up|assets)/)
    }
    await log.close()
  })

  it("a disabled tenant's link cannot be opened, and the session ends", async () => {
    const { admin, browse, link, tenantId } = await start()
    const [opened, unopened] = [await link(), await link()]
    const browser = browse()
    await browser.post(opened.path, {})
    await admin.send('PATCH', `/api/tenants/${tenantId}`, { disabled: true })
    expect(await isOpen(browser)).toBe(false)
    expect((await browse().post(unopened.path, {})).status).toBe(404)
  })

  it('forms from another page, and incomplete links, are rejected', async () => {
    const { browse, link } = await start()
    const { path } = await link()
    const browser = browse()
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await browser.post(path, {}, foreign)).status).toBe(403)
    await browser.post(path, {})
    const fields = { provider: 'okta', name: 'Okta', _token: 'x' }
    expect((await browser.post(`${HOME}/token`, fields)).status).toBe(403)
    const wrong = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`
    for (const one of [wrong, path.slice(0, -1), `${HOME}/open/x`, `${HOME}/open/%00`]) {
      expect((await browse().open(one)).status).toBe(404)
    }
  })

  it('a session with too many requests waits, if requests are limited', async () => {
    const { browse, link, clock } = await start()
    const now = () => clock.time
    const limits = createClientLimits({
      requests: { perSecond: 1, burst: 2 },
      now,
      proxies: 0,
      isBehindProxy: false,
    })
    const { path } = await link()
    const browser = browse({ limits })
    await browser.post(path, {})
    expect([await isOpen(browser), await isOpen(browser)]).toEqual([true, true])
    expect((await browser.open(HOME)).status).toBe(429)
    clock.time += 1_000
    expect(await isOpen(browser)).toBe(true)
  })

  it("neither a link's secret nor a session's is stored", async () => {
    const { browse, link, store } = await start()
    const { id, path } = await link()
    const browser = browse()
    await browser.post(path, {})
    const { findSetupLink } = await import('../../src/features/setup-links/store.ts')
    const text = path.slice(path.lastIndexOf('/') + 1)
    const row = await store.read((db) => findSetupLink(db, text))
    const hash = (secret: string) => createHash('sha256').update(secret).digest('hex')
    expect(row).toMatchObject({
      id,
      hash: hash(text.split('.')[1] ?? ''),
      session_hash: hash(browser.cookies.get('plumbline-setup') ?? ''),
    })
  })

  it('the server is examined without changing the tenant', async () => {
    const { browse, link } = await start()
    const { path } = await link()
    const browser = browse()
    await browser.post(path, {})
    expect((await browser.open(`${HOME}/doctor`)).text).toContain('Examine')
    const [one, two] = await Promise.all([
      browser.post(`${HOME}/doctor`, {}),
      browser.post(`${HOME}/doctor`, {}),
    ])
    expect([one.status, two.status].sort()).toEqual([200, 429])
    expect(`${one.text}${two.text}`).toMatch(
      /alert-warning[\s\S]*\d+ of \d+ checks passed\. Not examined: PUT of users, PATCH of users, [^.]*, because the examination is read-only\. No rule of the standard was found broken/,
    )
  })

  it("several tenants' servers are examined at the same time", async () => {
    const { browse, link, store } = await start()
    const { tenantId } = await connect(store)
    const [first, second] = [await link(), await link({ tenantId })]
    const browser = browse()
    const other = browse({ directory: browser.directory })
    await browser.post(first.path, {})
    await other.post(second.path, {})
    // The forms need the tokens of their sessions.
    for (const one of [browser, other]) await one.open(`${HOME}/doctor`)
    const answers = await Promise.all(
      [browser, browser, other, other].map((one) => one.post(`${HOME}/doctor`, {})),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429])
  })
}

async function makeToken(browser: Browser): Promise<string> {
  await browser.open(`${HOME}?provider=other`)
  const fields = { provider: 'other', name: 'Provider', expiry: 'never' }
  const created = await browser.post(`${HOME}/token`, fields)
  return secretIn((await browser.open(created.headers.get('Location') ?? '')).text)
}

function secretIn(text: string): string {
  return /<code id="secret"[^>]*>([^<]+)<\/code>/.exec(text)?.[1] ?? ''
}
