import { expect, it } from 'vitest'
import { openTenantConsole } from '../../support/console-client.ts'
import { connect } from '../../support/harness.ts'
import { patch } from '../../support/two-processes.ts'

const { store, client, browser, home } = await openTenantConsole('connection')
const provider = await connect(store, { tenantId: client.tenantId })

const activeOf = async () => {
  const { body } = await provider.send('GET', '/Users?count=100')
  return (body.Resources ?? []).filter(({ active }) => active).length
}

it('a mass deactivation is shown as held, and a button drops it', async () => {
  const ids: string[] = []
  for (let at = 0; at < 12; at += 1) {
    const user = { userName: `user-${at}`, active: true }
    const { body } = await provider.send('POST', '/Users', user)
    ids.push(String(body.id))
  }
  expect((await browser.open(home)).text).toContain('Applications see the changes')
  for (const id of ids) {
    await provider.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'active', value: false }),
    )
  }
  const held = await browser.open(home)
  expect(held.text).toContain('Held: 12 users would lose access.')
  expect(held.text).toContain('12 changes wait')
  expect(held.text).toContain('Users who would lose access')
  for (let at = 0; at < 12; at += 1) expect(held.text).toContain(`<bdi>user-${at}</bdi>`)
  expect(held.text.match(/loses access<\/span> deactivated/g)).toHaveLength(12)
  const [, all = ''] = /href="([^"]+)">Show all changes that wait/.exec(held.text) ?? []
  expect((await browser.open(all)).text).toContain('Show only users who would lose access')
  expect(await activeOf()).toBe(0)
  expect((await browser.confirm(`${home}/drop`)).status).toBe(303)
  expect(await activeOf()).toBe(0)
  expect((await browser.open(home)).text).toContain('Applications see the changes')
})

it('changes are paused, released and dropped', async () => {
  expect((await browser.post(`${home}/pause`, {})).status).toBe(303)
  await provider.send('POST', '/Users', { userName: 'waits' })
  expect((await browser.open(home)).text).toContain('Paused by an administrator: 1 change waits')
  expect((await browser.confirm(`${home}/release`)).status).toBe(303)
  expect((await browser.post(`${home}/pause`, {})).status).toBe(303)
  expect((await browser.confirm(`${home}/drop`)).status).toBe(303)
  expect((await browser.open(home)).text).toContain('Applications see the changes')
})

it('the rule is changed, and a wrong number is explained at the field', async () => {
  const rule = { percent: '50', least: '5', minutes: '60', delay: '0', protectedGroups: '' }
  expect((await browser.post(`${home}/rule`, rule)).status).toBe(303)
  const wrong = await browser.post(`${home}/rule`, { ...rule, percent: '500' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('id="error-percent"')
  expect((await browser.open(home)).text).toContain('value="50"')
})
