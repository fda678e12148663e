import { describe, expect, it } from 'vitest'
import { insertDeliveries } from '../../../src/features/webhooks/deliveries.ts'
import { openLoggedConsole } from '../../support/console-client.ts'
import { connect } from '../../support/harness.ts'
import { patch } from '../../support/two-processes.ts'

const { store, log, browser } = await openLoggedConsole()

/** A tenant, its client, and its page. */
async function tenantOf(): Promise<
  Awaited<ReturnType<typeof connect>> & { readonly open: (query?: string) => Promise<string> }
> {
  const client = await connect(store, { provisioning: log })
  const open = async (query = ''): Promise<string> => {
    await log.flush()
    return (await browser.open(`/console/tenants/${client.tenantId}${query}`)).text
  }
  return { ...client, open }
}

/** The text of each cell of the row of a table that contains a text. */
function rowWith(page: string, text: string): readonly string[] {
  const row = page.split('<tr>').find((one) => one.includes(text)) ?? ''
  return Array.from(row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g), ([, cell = '']) =>
    cell.replaceAll(/<[^>]+>/g, '').trim(),
  )
}

describe("a tenant's overview", () => {
  it('an overview without requests leads to the page that connects the provider', async () => {
    const { open, tenantId } = await tenantOf()
    const text = await open()
    expect(text).toContain('Waiting for the first request.')
    expect(text).toContain(
      `<a href="/console/tenants/${tenantId}/connect">Connect the provider</a>`,
    )
    expect(text).toContain('A request has not succeeded yet.')
    expect(text).not.toContain('Newest errors')
  })

  it('an overview starts with the state, then the newest errors with their reasons, and ends with the facts', async () => {
    const { open, send, tenantId } = await tenantOf()
    for (let at = 0; at < 7; at += 1) await send('POST', '/Users', { userName: at })
    const text = await open()
    const order = [
      'Errors: 7 of the last 7 requests were rejected.',
      'Newest errors',
      'userName must be a string',
      'Requests in 24 hours',
      'Last success of each kind',
      'SCIM base URL',
    ].map((one) => text.indexOf(one))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order).not.toContain(-1)
    expect(text.match(/userName must be a string</g)).toHaveLength(5)
    expect(text).toContain(`href="/console/tenants/${tenantId}/requests?status=errors"`)
  })

  it("an overview has each kind's last success, and links to what changed", async () => {
    const { open, send, tenantId } = await tenantOf()
    const { id } = (await send('POST', '/Users', { userName: 'ada' })).body
    await send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))
    const text = await open()
    const now = 'just now'
    expect(rowWith(text, 'Deactivate a user')).toEqual(['Deactivate a user', now, String(id)])
    expect(rowWith(text, 'Create a user')).toEqual(['Create a user', now, String(id)])
    expect(text).toContain(`href="/console/tenants/${tenantId}/users/${id}"`)
    await send('DELETE', `/Users/${id}`)
    expect(rowWith(await open(), 'Delete a user')).toEqual(['Delete a user', now, String(id)])
  })

  it('an overview shows a hold with the damage, and so does the tenant list', async () => {
    const { open, send, tenantId } = await tenantOf()
    const ids: string[] = []
    for (let at = 0; at < 14; at += 1) {
      ids.push(String((await send('POST', '/Users', { userName: `u${at}` })).body.id))
    }
    for (const id of ids.slice(0, 12)) await send('DELETE', `/Users/${id}`)
    const text = await open()
    expect(text).toContain('Held: 12 of 14 users would lose access. 12 changes wait.')
    expect(text).toContain(`<a href="/console/tenants/${tenantId}/connection">Release or drop`)
    const list = (await browser.open('/console/tenants')).text
    expect(rowWith(list, `>${tenantId}<`)[1]).toBe('✕ held')
  })

  it('an overview shows whether each webhook reaches the receiver', async () => {
    const { open, tenantId } = await tenantOf()
    expect(await open()).toContain('Changes are not sent to an application.')
    const url = 'https://app.example.com/hook'
    const { headers } = await browser.post(`/console/tenants/${tenantId}/webhooks`, { url })
    const id = headers.get('Location')?.split('/').at(-1) ?? ''
    expect(rowWith(await open(), url)).toEqual([url, '✓ active', '–', '0'])
    const key = { tenant_id: tenantId, id }
    const attempt = { position: 1, type: 'user.created', attempted_at: 0, duration: 1, answer: '' }
    await store.write((db) =>
      insertDeliveries(db, key, [
        { tenant_id: tenantId, webhook_id: id, id: 'd', status: 503, ...attempt },
      ]),
    )
    expect(rowWith(await open(), url)[2]).toBe('✕ 503 1970-01-01')
  })

  it.each([
    ['', '24 hours', 24],
    ['?period=week', '7 days', 7],
    ['?period=month', '30 days', 30],
    ['?period=%3Cb%3E', '24 hours', 24],
  ])(
    'an overview with the query %j shows %s, with a row for each bar',
    async (query, name, rows) => {
      const { open } = await tenantOf()
      const text = await open(query)
      expect(text).toMatch(RegExp(`aria-current="page">${name}</a>`))
      const [, table = ''] = text.split('The numbers of the charts')
      const [numbers = ''] = table.split('</table>')
      expect(numbers.match(/<th scope="row">/g)).toHaveLength(rows)
      expect(text).not.toMatch(/ style=|<style|<script(?! type="module" src=)/)
    },
  )

  it("an unknown tenant's overview is the page 404", async () => {
    expect((await browser.open('/console/tenants/none')).status).toBe(404)
  })
})
