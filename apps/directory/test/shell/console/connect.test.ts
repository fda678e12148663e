import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { openConsole, openLoggedConsole } from '../../support/console-client.ts'
import { sender } from '../../support/harness.ts'

const { store, log, browser } = await openLoggedConsole()
beforeAll(async () => {
  await store.write((db) => createTenant(db, { id: 'acme', name: 'Acme', created_at: 0 }))
})

const PATH = '/console/tenants/acme/connect'

describe('the values to paste', () => {
  it.each([
    ['entra', 'https://directory.example.com/scim/v2?aadOptscim062020', 'Tenant URL'],
    ['okta', 'https://directory.example.com/scim/v2', 'SCIM connector base URL'],
    ['other', 'https://directory.example.com/scim/v2', 'Base URL'],
  ])('the values to paste for %s have the PUBLIC_URL origin', async (provider, url, field) => {
    const origin = 'https://directory.example.com'
    const secure = await openConsole(store, { origin, publicOrigin: origin })
    const { text } = await secure.open(`${PATH}?provider=${provider}`)
    expect(text).toContain(`<dt>${field}</dt>`)
    expect(text).toContain(`>${url}</code>`)
    expect(text).not.toContain('require HTTPS')
  })

  it('the values to paste warn about an address without HTTPS', async () => {
    const { text } = await browser.open(`${PATH}?provider=entra`)
    expect(text).toContain('Identity providers require HTTPS')
  })
})

describe("a provider's token", () => {
  it("a provider's token is shown exactly once, and the first request is seen", async () => {
    const created = await browser.post(PATH, { provider: 'entra', name: 'Entra', expiry: '90' })
    expect(created.status).toBe(303)
    const location = created.headers.get('Location') ?? ''
    const shown = await browser.open(location)
    const token = /<code id="secret"[^>]*>([^<]+)<\/code>/.exec(shown.text)?.[1] ?? ''
    expect(location).not.toContain(token)
    const again = await browser.open(location)
    expect(again.text).not.toContain(token)
    expect(again.text).toContain('Waiting for the first request')
    expect(again.text).toMatch(/src="\/console\/assets\/connect\.\w+\.js"/)

    const provider = sender(browser.directory, token)
    expect((await provider('GET', '/Users?filter=userName eq "x"')).status).toBe(200)
    await provider('POST', '/Users', { userName: 'anna' })
    await log.flush()
    const { text } = await browser.open(location)
    expect(text).toMatch(
      /Seen: Test Connection, <span class="badge [^"]*badge-success">.*200<\/span>/,
    )
    expect(text).not.toContain('connect.js')
  })

  it("a provider's token has the provider's profile, tenant and expiry", async () => {
    await browser.post(PATH, { provider: 'okta', name: 'Okta', expiry: 'never' })
    const { text } = await browser.open('/api/tokens?tenantId=acme')
    const { tokens }: { readonly tokens: readonly object[] } = JSON.parse(text)
    expect(tokens.at(-1)).toMatchObject({
      tenantId: 'acme',
      name: 'Okta',
      profile: 'okta',
      role: 'client',
      expiresAt: null,
    })
  })

  it("a provider's token is not created without a name, and the form says why", async () => {
    const answer = await browser.post(PATH, { provider: 'okta', name: '', expiry: 'never' })
    expect(answer.status).toBe(422)
    expect(answer.text).toMatch(/<input id="field-name"[^>]* aria-describedby="error-name"/)
    expect(answer.text).toContain('id="error-name"')
  })

  it.each([
    ['an unknown provider', PATH, { provider: '__proto__', name: 'x' }],
    ['an unknown tenant', '/console/tenants/missing/connect', { provider: 'okta', name: 'x' }],
  ])("a provider's token is not created for %s", async (_, path, fields) => {
    expect((await browser.post(path, fields)).status).toBe(404)
  })

  it('a missing token is not waited for', async () => {
    expect((await browser.open(`${PATH}?provider=okta&token=unknown`)).status).toBe(404)
  })
})

it('a used token is seen without the provisioning log', async () => {
  const without = await openConsole(store)
  const created = await without.post(PATH, { provider: 'other', name: 'Other', expiry: '365' })
  const location = created.headers.get('Location') ?? ''
  const token = /id="secret"[^>]*>([^<]+)</.exec((await without.open(location)).text)?.[1] ?? ''
  await sender(without.directory, token)('GET', '/Users?count=0')
  expect((await without.open(location)).text).toContain('Seen: a request')
})
