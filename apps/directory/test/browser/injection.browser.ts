import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../support/spawned-server.ts'
import { asText } from './as-text.ts'
import type { Visit } from './browser.ts'
import { injectTenant, nameOf, PATIENT } from './injected-tenant.ts'
import { ATTEMPTS } from './injection.cases.ts'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()
let visit: Visit
const dialogs: string[] = []
beforeAll(async () => {
  visit = await browser.visit(site)
  visit.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await visit.signIn()
})
afterAll(async () => {
  // It fails if a page violated its policy.
  await visit.close()
})

describe.each(ATTEMPTS.map((text, at) => [nameOf(text), text, `t${at}`] as const))(
  'the string %j',
  (_, text, tenantId) => {
    it('the string is text on each tenant page', async () => {
      for (const [path, ...shown] of await injectTenant(site, tenantId, text)) {
        await visit.open(path)
        await expectText(path, shown)
      }
    })
  },
)

it('the names are text in the tenant list', async () => {
  await visit.open('/console/tenants')
  await expectText('/console/tenants', ATTEMPTS.map(nameOf))
})

it("the names are text in the administrator list, and on each administrator's page", async () => {
  const pages: string[] = []
  for (const name of ATTEMPTS.map(nameOf)) {
    const { status, body } = await site.send('POST', '/api/tokens', { name, role: 'admin' })
    expect(status).toBe(201)
    pages.push(`/console/administrators/${body.id}`)
  }
  await visit.open('/console/administrators')
  await expectText('/console/administrators', ATTEMPTS.map(nameOf))
  for (const [at, path] of pages.entries()) {
    await visit.open(path)
    await expectText(path, [nameOf(ATTEMPTS[at] ?? '')])
  }
})

it('the strings are text in the requests without a known token, in the list and on each page', async () => {
  const sent = ATTEMPTS.map(headerOf)
  const send = client({ origin: site.origin, token: 'unknown' })
  for (const [at, text] of ATTEMPTS.entries()) {
    const headers = { 'User-Agent': sent[at] ?? '' }
    const answer = await send('GET', `/Users/${encodeURIComponent(text)}`, undefined, headers)
    expect(answer.status).toBe(401)
  }
  const list = async () => (await site.send('GET', '/api/requests')).body.requests ?? []
  await expect.poll(async () => (await list()).length, PATIENT).toBe(ATTEMPTS.length)
  await visit.open('/console/requests')
  await expectText('/console/requests', ['The token is not known'])
  for (const [at, { number }] of (await list()).toReversed().entries()) {
    const path = `/console/requests/${number}`
    await visit.open(path)
    await expectText(path, [sent[at] ?? ''])
  }
})

it('the strings are text in requests appearing while the page is open', async () => {
  const path = '/console/tenants/default/requests'
  await visit.open(path)
  await visit.page.getByText('Live', { exact: true }).waitFor()
  for (const userName of ATTEMPTS) {
    expect((await site.send('POST', '/Users', { userName })).status).toBe(201)
    expect((await site.send('POST', '/Users', { userName })).status).toBe(409)
  }
  await visit.page.getByText(`${ATTEMPTS.length * 2} new requests`).waitFor()
  await expectText(path, ATTEMPTS.map(nameOf))
})

/** The characters of a string that a header can have, and of which the log keeps 200. */
function headerOf(text: string): string {
  const ascii = text.replaceAll(/[^ -~]/g, '')
  return ascii.trim().slice(0, 200)
}

/** Expects that the page shows strings, and that none of them became a part of the page. */
async function expectText(path: string, shown: readonly string[]): Promise<void> {
  const page = await visit.page.evaluate<{
    readonly text: string
    readonly title: string
    readonly foreign: readonly string[]
    readonly injected: string
  }>(READ_PAGE)
  for (const text of shown) expect(asText(page.text), path).toContain(asText(text))
  expect(page.title, path).toMatch(/ · Plumbline Directory$/)
  expect(page.foreign, path).toEqual([])
  expect(page.injected, path).toBe('undefined')
  expect(new URL(visit.page.url()).origin).toBe(site.origin)
  expect(dialogs, path).toEqual([])
}

/** The text of a page, and the elements and attributes that the console does not write. */
const READ_PAGE = `({
  text: document.body.textContent,
  title: document.title,
  injected: typeof window.injected,
  foreign: [...document.querySelectorAll('*')].filter((one) =>
    one.matches('img, svg:not(.icon:has(> use:only-child), .chart svg), iframe, base, style, meta[http-equiv], [autofocus], [srcdoc]') ||
    [...one.attributes].some(({ name }) => name.startsWith('on')) ||
    ['href', 'src', 'action'].some((name) =>
      one.hasAttribute(name) && !/^[/#]/.test(one.getAttribute(name))) ||
    (one.localName === 'script' && !one.getAttribute('src')?.startsWith('/console/assets/'))
  ).map((one) => one.outerHTML),
})`
