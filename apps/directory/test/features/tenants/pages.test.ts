import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { DEFAULT_TENANT } from '../../../src/kernel/access/tenant-store.ts'
import { createToken } from '../../../src/kernel/access/token-store.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { openConsole, openLoggedConsole } from '../../support/console-client.ts'
import { sender } from '../../support/harness.ts'
import { typeCounts } from '../../support/types.ts'

const { store, log, browser } = await openLoggedConsole()
beforeAll(async () => {
  await store.write((db) =>
    createTenant(db, { id: DEFAULT_TENANT, name: 'Default', created_at: 0, ...ACTIVE }),
  )
})

const ACTIVE = { disabled_at: null, deleted_at: null }

/** Creates a tenant in the console, and returns the path of its page. */
async function create(id: string): Promise<string> {
  const { headers } = await browser.post('/console/tenants', { id, name: id })
  return headers.get('Location')?.replace(/\/connect$/, '') ?? ''
}

describe('the tenant list', () => {
  it('the list shows users, groups, the last request, errors and the next token to expire', async () => {
    const path = await create('busy')
    const created = await store.write((db) =>
      createToken(db, {
        tenantId: 'busy',
        name: 'Okta token',
        role: 'client',
        profile: 'okta',
        now: Date.now(),
        expiresAt: Date.parse('2040-01-02T03:04:05Z'),
      }),
    )
    const client = sender(browser.directory, created.text)
    for (const userName of ['a', 'b', 'a']) await client('POST', '/Users', { userName })
    await client('POST', '/Groups', { displayName: 'g' })
    await log.flush()
    const { text } = await browser.open('/console/tenants')
    const row = text.split('<tr>').find((one) => one.includes(path)) ?? ''
    const cells = [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) =>
      cell.replaceAll(/<[^>]+>/g, '').trim(),
    )
    expect(cells).toEqual([
      'busy busy',
      '✓ healthy',
      ...Object.values(typeCounts('0', { User: '2', Group: '1' })),
      'just now',
      '1',
      'Okta token 2040-01-02',
    ])
  })

  it('the list has pages', async () => {
    const many = await openSqlite(':memory:')
    await many.write(async (db) => {
      for (let at = 0; at < 120; at += 1) {
        await createTenant(db, { id: `t${at}`, name: 'T', created_at: at, ...ACTIVE })
      }
    })
    const reader = await openConsole(many)
    const found = new Set<string>()
    let path: string | undefined = '/console/tenants'
    let pages = 0
    while (path !== undefined) {
      const { text }: { readonly text: string } = await reader.open(path)
      for (const [, id = ''] of text.matchAll(/<code>(t\d+)<\/code>/g)) found.add(id)
      path = /<a rel="next" href="([^"]+)"/.exec(text)?.[1]
      pages += 1
    }
    expect([found.size, pages]).toEqual([120, 3])
    await many.close()
  })

  it('the list says next to the field that an id already exists', async () => {
    await create('twice')
    const { status, text } = await browser.post('/console/tenants', { id: 'twice', name: 'Again' })
    expect(status).toBe(422)
    expect(text).toMatch(/aria-describedby="hint-id error-id" aria-invalid="true"/)
    expect(text).toContain('The tenant twice already exists.')
    expect(text).toContain('value="Again"')
  })

  it.each([
    ['?id=%20twice%20', '/console/tenants/twice'],
    ['?id=%20', '/console/tenants'],
    ['', '/console/tenants'],
  ])('the list opens a tenant by id: %s', async (query, location) => {
    const { status, headers } = await browser.open(`/console/open-tenant${query}`)
    expect([status, headers.get('Location')]).toEqual([303, location])
  })
})

describe('a tenant', () => {
  it('a tenant is renamed', async () => {
    const path = await create('renamed')
    const renamed = await browser.post(`${path}/rename`, { name: 'New name' })
    expect([renamed.status, renamed.headers.get('Location')]).toEqual([303, `${path}/settings`])
    const { headers, text } = await browser.open(`${path}/settings`)
    expect(text).toContain('The tenant was renamed.')
    expect(headers.get('Set-Cookie')).toMatch(/^plumbline-notice=; Path=\/; Max-Age=0;/)
    const again = await browser.open(`${path}/settings`)
    expect([again.headers.get('Set-Cookie'), again.text.includes('renamed.')]).toEqual([
      null,
      false,
    ])
    expect(text).toContain('<title>Settings · New name · Plumbline Directory</title>')
    const empty = await browser.post(`${path}/rename`, { name: '' })
    expect([empty.status, empty.text.includes('id="error-name"')]).toEqual([422, true])
  })

  it('a tenant is disabled and enabled, and the tokens are rejected in the meantime', async () => {
    const path = await create('paused')
    const created = await store.write((db) =>
      createToken(db, {
        tenantId: 'paused',
        name: 'a',
        role: 'client',
        profile: 'standard',
        now: Date.now(),
      }),
    )
    const statusOf = async () =>
      (await sender(browser.directory, created.text)('GET', '/Users?count=0')).status
    expect(await statusOf()).toBe(200)
    await browser.confirm(`${path}/disable`)
    const disabled = (await browser.open(`${path}/settings`)).text
    expect(disabled).toContain('The tenant was disabled: its tokens are rejected.')
    expect(disabled).toContain('Enable tenant')
    expect(await statusOf()).toBe(403)
    await browser.post(`${path}/enable`, {})
    const enabled = (await browser.open(`${path}/settings`)).text
    expect(enabled).toContain('The tenant was enabled: its tokens are accepted.')
    expect(await statusOf()).toBe(200)
  })

  it.each(['', 'DELETED', 'deleted ', 'yes'])(
    'a tenant is not deleted if %j is typed instead of the id',
    async (confirmation) => {
      const path = await create('deleted')
      const { status, text } = await browser.post('/console/tenants/deleted/delete', {
        confirmation,
      })
      expect(status).toBe(422)
      expect(text).toContain('Nothing was changed.')
      expect((await browser.open(path || '/console/tenants/deleted')).status).toBe(200)
    },
  )

  it('a tenant is deleted after the id is typed', async () => {
    await create('deleted')
    const path = '/console/tenants/deleted'
    const answer = await browser.post(`${path}/delete`, { confirmation: 'deleted' })
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/console/tenants'])
    const { text } = await browser.open('/console/tenants')
    expect(text).toContain('The tenant deleted is being deleted.')
  })

  it('a tenant with the id default is not deleted, and the page says why', async () => {
    const path = '/console/tenants/default/delete'
    const { status, text } = await browser.post(path, { confirmation: 'default' })
    expect(status).toBe(422)
    expect(text).toContain('The next start would create the tenant default again.')
  })

  it.each(['rename', 'disable', 'enable', 'delete'])(
    'a tenant that does not exist cannot be changed: %s',
    async (action) => {
      const path = `/console/tenants/missing/${action}`
      const fields = { name: 'x', confirmation: 'missing' }
      expect((await browser.post(path, fields)).status).toBe(404)
    },
  )
})
