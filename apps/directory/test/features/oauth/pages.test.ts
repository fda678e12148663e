import { expect, it } from 'vitest'
import { createSigningKey } from '../../support/assertion.ts'
import { openTenantConsole, postForSecret as post } from '../../support/console-client.ts'
import { connect } from '../../support/harness.ts'

const { store, client, browser, home } = await openTenantConsole('clients')

/** Posts a form; returns the page of the client, and the secret that it shows once. */
async function postForSecret(path: string, fields: Readonly<Record<string, string>>) {
  const { href, secret } = await post(browser, path, fields)
  return { href, id: href.split('/').at(-1) ?? '', secret }
}

/** The status of a request for an access token (RFC 6749 §4.4.2). */
async function exchange(id: string, secret: string): Promise<number> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  const url = 'http://localhost/scim/oauth/token'
  return (await client.directory.fetch(new Request(url, { method: 'POST', body }))).status
}

it('an OAuth client is created, and its secret is shown exactly once', async () => {
  const { id, secret, href } = await postForSecret(home, { name: 'Entra', profile: 'entra' })
  expect(await exchange(id, secret)).toBe(200)
  expect((await browser.open(home)).text).toContain('reading and writing, profile entra')
  expect((await browser.open(href)).text).toContain('http://localhost/scim/oauth/token')
})

it('an OAuth client needs a name', async () => {
  const { status, text } = await browser.post(home, { name: '' })
  expect(status).toBe(422)
  expect(text).toContain('id="error-name"')
})

it("an OAuth client's name is never HTML", async () => {
  const { href } = await postForSecret(home, { name: '<script>alert(1)</script>' })
  for (const path of [home, href]) {
    expect((await browser.open(path)).text).not.toContain('<script>alert')
  }
})

it.each([
  ['3600', 200],
  ['0', 401],
])("an OAuth client's secret is rotated with an overlap of %s seconds", async (overlap, status) => {
  const old = await postForSecret(home, { name: 'Rotated' })
  const created = await postForSecret(`${old.href}/rotate`, { overlap })
  expect(await exchange(created.id, created.secret)).toBe(200)
  expect(await exchange(old.id, old.secret)).toBe(status)
})

it('an OAuth client is deleted', async () => {
  const { id, secret, href } = await postForSecret(home, { name: 'Deleted' })
  expect((await browser.confirm(`${href}/delete`)).status).toBe(303)
  expect(await exchange(id, secret)).toBe(401)
  expect((await browser.open(href)).status).toBe(404)
})

it("another tenant's pages do not show or change an OAuth client", async () => {
  const { id, secret } = await postForSecret(home, { name: 'Foreign' })
  const other = await connect(store)
  const path = `/console/tenants/${other.tenantId}/clients/${id}`
  expect((await browser.open(path)).status).toBe(404)
  for (const action of ['rotate', 'delete']) {
    expect((await browser.post(`${path}/${action}`, {})).status).toBe(404)
  }
  expect(await exchange(id, secret)).toBe(200)
})

it('an OAuth client with public keys is created without a secret, and changes to one (RFC 7523 §2.2)', async () => {
  const { jwks } = await createSigningKey('ES256', 'key-7')
  const created = await browser.post(home, { name: 'Signer', jwks: JSON.stringify(jwks) })
  const href = created.headers.get('Location') ?? ''
  expect((await browser.open(href)).text).toContain('The client Signer was created.')
  const { text } = await browser.open(href)
  expect(text).toContain('EC key-7')
  const replaced = await browser.post(`${href}/rotate`, { jwks: JSON.stringify(jwks) })
  expect(replaced.status).toBe(303)
  expect((await browser.open(href)).text).toContain('The keys of the client Signer were replaced.')
  const { id, secret } = await postForSecret(`${href}/rotate`, { overlap: '0', jwks: '' })
  expect(await exchange(id, secret)).toBe(200)
  expect((await browser.open(href)).text).not.toContain('EC key-7')
})

it.each([
  ['text that is not JSON', '{'],
  ['a key of another type', '{"keys":[{"kty":"oct","k":"AAAA"}]}'],
])('an OAuth client with %s as the keys is not created or changed', async (_, jwks) => {
  const { href } = await postForSecret(home, { name: 'Other' })
  for (const path of [home, `${href}/rotate`]) {
    const { status, text } = await browser.post(path, { name: 'Wrong', jwks })
    expect(status).toBe(422)
    expect(text).toContain('id="error-jwks"')
  }
  expect((await browser.open(home)).text).not.toContain('>Wrong</a>')
})
