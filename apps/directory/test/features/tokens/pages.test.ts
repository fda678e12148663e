import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/kernel/durations.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import {
  type Browser,
  createBrowser,
  openConsole,
  postForSecret as post,
  signIn,
} from '../../support/console-client.ts'
import { type Client, connect } from '../../support/harness.ts'

const HOSTILE = `<script>alert(1)</script>`

let store: Store
let client: Client
let browser: Browser
let home: string
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

/** Posts a form, and returns the secret that the next page shows. */
async function postForSecret(path: string, fields: Readonly<Record<string, string>>) {
  return (await post(browser, path, fields)).secret
}

const usersBy = async (token: string): Promise<number> =>
  (await client.send('GET', '/Users', undefined, { Authorization: `Bearer ${token}` })).status

describe("a tenant's tokens", () => {
  beforeAll(async () => {
    client = await connect(store)
    browser = await openConsole(store)
    home = `/console/tenants/${client.tenantId}/tokens`
  })

  it('tokens are created, and shown exactly once', async () => {
    const fields = { name: 'Okta', profile: 'okta', access: 'write', expiry: '365' }
    const secret = await postForSecret(home, fields)
    expect(await usersBy(secret)).toBe(200)
    const { text } = await browser.open(home)
    expect(text).toContain('>Okta</a>')
    expect(text).toContain('reading and writing, profile okta')
  })

  it('read-only tokens do not write', async () => {
    const secret = await postForSecret(home, { name: 'Reader', access: 'read', expiry: 'never' })
    const headers = { Authorization: `Bearer ${secret}` }
    expect(await usersBy(secret)).toBe(200)
    expect((await client.send('POST', '/Users', { userName: 'a' }, headers)).status).toBe(403)
  })

  it('application tokens read the feed, and do not sign in', async () => {
    const fields = { name: 'App', access: 'receiver', expiry: 'never' }
    const secret = await postForSecret(home, fields)
    const headers = { Authorization: `Bearer ${secret}` }
    expect(await usersBy(secret)).toBe(200)
    expect((await client.send('POST', '/Users', { userName: 'b' }, headers)).status).toBe(403)
    const feed = `/api/tenants/${client.tenantId}/changes`
    expect((await client.send('GET', feed, undefined, headers)).status).toBe(200)
    const shown = 'reading, and the feed of changes, for an application'
    const { text } = await browser.open(home)
    expect(text).toContain(`${shown}, profile standard`)
    const path = /href="([^"]+)">App</.exec(text)?.[1] ?? ''
    expect((await browser.open(path)).text).toContain(shown)
    const stranger = createBrowser(store)
    const signedIn = await signIn(stranger, secret)
    expect(signedIn.status).toBe(401)
    expect(signedIn.text).toContain('This is not the token of an administrator.')
  })

  it('tokens can have the profile of a draft', async () => {
    const { text } = await browser.open(home)
    expect(text).toContain('A client of the profile ipsie-al2')
  })

  it('tokens need a name', async () => {
    const { status, text } = await browser.post(home, { name: '', expiry: '90' })
    expect(status).toBe(422)
    expect(text).toContain('id="error-name"')
    expect(text).toMatch(/value="90" selected/)
  })

  it('token names are escaped', async () => {
    await postForSecret(home, { name: HOSTILE })
    expect((await browser.open(home)).text).not.toContain(HOSTILE)
  })

  const hrefOf = async (name: string): Promise<string> =>
    RegExp(`href="([^"]+)">${name}</a>`).exec((await browser.open(home)).text)?.[1] ?? ''

  it('tokens are rotated with an overlap', async () => {
    const old = await postForSecret(home, { name: 'Rotated' })
    const href = await hrefOf('Rotated')
    const created = await postForSecret(`${href}/rotate`, { overlap: '3600', expiry: 'same' })
    expect(created).not.toBe(old)
    expect([await usersBy(old), await usersBy(created)]).toEqual([200, 200])
    const { text } = await browser.open(href)
    expect(text).toContain('Replaced by')
    expect(text).not.toContain('Accept the old token for')
    const again = await browser.post(`${href}/rotate`, { overlap: '0' })
    expect(again.status).toBe(409)
    expect(again.text).toContain('role="alert"')
  })

  it('tokens are rotated without an overlap if they are known to others', async () => {
    const old = await postForSecret(home, { name: 'Leaked' })
    const created = await postForSecret(`${await hrefOf('Leaked')}/rotate`, { overlap: '0' })
    expect([await usersBy(old), await usersBy(created)]).toEqual([401, 200])
  })

  it('tokens are revoked', async () => {
    const secret = await postForSecret(home, { name: 'Revoked' })
    const href = await hrefOf('Revoked')
    expect((await browser.confirm(`${href}/revoke`)).status).toBe(303)
    expect(await usersBy(secret)).toBe(401)
    expect((await browser.open(href)).status).toBe(404)
  })

  it("tokens are not shown, rotated or revoked on another tenant's page", async () => {
    const secret = await postForSecret(home, { name: 'Foreign' })
    const id = secret.split('.')[0]
    const other = await connect(store)
    const path = `/console/tenants/${other.tenantId}/tokens/${id}`
    expect((await browser.open(path)).status).toBe(404)
    for (const action of ['rotate', 'revoke']) {
      expect((await browser.post(`${path}/${action}`, {})).status).toBe(404)
    }
    expect(await usersBy(secret)).toBe(200)
  })
})

it('a token and an OAuth client have the same fields, and a rejected form keeps their values', async () => {
  const owner = await connect(store)
  const administrator = await openConsole(store)
  const base = `/console/tenants/${owner.tenantId}`
  const posted = { name: 'x'.repeat(300), profile: 'okta', access: 'read' }
  const forms = await Promise.all(
    ['tokens', 'clients'].map(async (page) => {
      const { status, text } = await administrator.post(`${base}/${page}`, posted)
      expect(status).toBe(422)
      const [fields = ''] =
        /<div class="field">\n<label for="field-name">.*?id="field-access".*?<\/select>/s.exec(
          text,
        ) ?? []
      return fields
    }),
  )
  expect(forms[0]).toContain('id="error-name"')
  expect(forms[0]).toContain('<option value="okta" selected>')
  expect(forms[0]).toContain('<option value="read" selected>reading only')
  // Only a token may be that of a receiver.
  expect(forms[1]).toBe(forms[0]?.replace(/<option value="receiver">.*?<\/option>/, ''))
})

it("a new token's expiry and its badge follow the directory's clock", async () => {
  let now = Date.parse('2031-05-01T00:00:00Z')
  const owner = await connect(store, { now: () => now })
  const administrator = await openConsole(store, { now: () => now })
  const path = `/console/tenants/${owner.tenantId}`
  await post(administrator, `${path}/tokens`, { name: 'Created', expiry: '90' })
  await post(administrator, `${path}/connect`, { provider: 'okta', name: 'Okta', expiry: '365' })
  const list = async () => (await administrator.open(`${path}/tokens`)).text
  const text = await list()
  expect(text).toContain('2031-07-30 00:00:00 UTC')
  expect(text).toContain('2032-04-30 00:00:00 UTC')
  expect(text).not.toContain('</span> soon<')
  const [, href = ''] = /href="([^"]+)">Okta</.exec(text) ?? []
  await post(administrator, `${href}/rotate`, { overlap: '0', expiry: '90' })
  expect((await list()).match(/2031-07-30 00:00:00 UTC/g)).toHaveLength(2)
  now = Date.parse('2031-07-20T00:00:00Z')
  const later = await openConsole(store, { now: () => now })
  expect((await later.open(`${path}/tokens`)).text).toContain('</span> soon<')
})

it.each([
  [-1_000, 'expired'],
  [DAY, 'soon'],
])('a token expiring in %i ms has the badge %s', async (left, word) => {
  const owner = await connect(store, { now: () => Date.now() - DAY, expiresAt: Date.now() + left })
  const visitor = await openConsole(store)
  const { text } = await visitor.open(`/console/tenants/${owner.tenantId}/tokens`)
  expect(text).toMatch(RegExp(`class="badge [^"]+"><span aria-hidden="true">.</span> ${word}<`))
})

describe('administrator tokens', () => {
  beforeAll(async () => {
    browser = await openConsole(store)
  })

  it('administrator tokens are created, and sign in', async () => {
    const secret = await postForSecret('/console/administrators', { name: 'Ada', access: 'write' })
    const other = createBrowser(store)
    expect((await signIn(other, secret)).status).toBe(303)
    const { text } = await other.open('/console/administrators')
    expect(text).toContain('>Ada</a>')
  })

  it('read-only administrator tokens do not change anything', async () => {
    const secret = await postForSecret('/console/administrators', {
      name: 'Auditor',
      access: 'read',
    })
    const auditor = createBrowser(store)
    await signIn(auditor, secret)
    expect((await auditor.open('/console/administrators')).status).toBe(200)
    const { status } = await auditor.post('/console/administrators', { name: 'Mallory' })
    expect(status).toBe(403)
    expect((await browser.open('/console/administrators')).text).not.toContain('Mallory')
  })

  it('revoked administrator tokens end their sessions', async () => {
    const secret = await postForSecret('/console/administrators', { name: 'Gone' })
    const gone = createBrowser(store)
    await signIn(gone, secret)
    const id = secret.split('.')[0]
    const page = await gone.open(`/console/administrators/${id}`)
    expect(page.text).toContain('you will be signed out')
    await gone.confirm(`/console/administrators/${id}/revoke`)
    expect((await gone.open('/console/tenants')).headers.get('Location')).toContain('/sign-in')
  })
})
