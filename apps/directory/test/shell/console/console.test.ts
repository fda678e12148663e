import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Browser, openConsole } from '../../support/console-client.ts'

let store: Store
let browser: Browser
beforeAll(async () => {
  store = await openSqlite(':memory:')
  browser = await openConsole(store)
})
afterAll(() => store.close())

describe('an administrator', () => {
  it('an administrator signs in, creates a tenant, and signs out', async () => {
    const page = await browser.open('/console/tenants')
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>Tenants</h1>')
    const created = await browser.post('/console/tenants', { id: 'acme', name: 'Acme' })
    expect(created.status).toBe(303)
    expect(created.headers.get('Location')).toBe('/console/tenants/acme/connect')
    const shown = await browser.open('/console/tenants/acme/connect')
    expect(shown.text).toContain('The tenant acme was created.')
    expect((await browser.open('/console/tenants/acme')).text).not.toContain('was created')
    const asset = /href="(\/console\/assets\/console[^"]+)"/.exec(shown.text)?.[1] ?? ''
    expect((await browser.open(asset)).status).toBe(200)
    await browser.post('/console/sign-out', {})
    expect((await browser.open('/console/tenants')).status).toBe(303)
  })
})
