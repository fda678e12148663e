import { expect, it } from 'vitest'
import { createRecorder } from '../../../src/features/recordings/recorder.ts'
import { openTenantConsole } from '../../support/console-client.ts'
import { connect } from '../../support/harness.ts'

const { store, client, browser, home } = await openTenantConsole('recordings')

const actionOf = (text: string, action: string): string =>
  RegExp(`action="([^"]+/${action})"`).exec(text)?.[1] ?? ''

it('a recording is started, stopped, and deleted', async () => {
  expect((await browser.post(home, {})).status).toBe(303)
  const active = await browser.open(home)
  expect(active.text).toContain('recording</span>')
  expect(active.text).not.toContain('Download the run')
  const again = await browser.post(home, {})
  expect([again.status, again.text.includes('role="alert"')]).toEqual([409, true])
  expect((await browser.post(actionOf(active.text, 'stop'), {})).status).toBe(303)
  const stopped = await browser.open(home)
  expect(stopped.text).toContain('stopped</span>')
  expect((await browser.confirm(actionOf(stopped.text, 'delete'))).status).toBe(303)
  expect((await browser.open(home)).text).not.toContain('stopped</span>')
})

it("a recording's run is downloaded with the console session", async () => {
  await browser.post(home, {})
  const recorder = createRecorder({ store, now: Date.now })
  const provider = await connect(store, { recorder, tenantId: client.tenantId })
  await provider.send('POST', '/Users', { userName: 'anna' })
  await recorder.flush()
  await browser.post(actionOf((await browser.open(home)).text, 'stop'), {})
  const href = /href="([^"]+)" download/.exec((await browser.open(home)).text)?.[1] ?? ''
  const { status, text } = await browser.open(href)
  expect(status).toBe(200)
  expect(JSON.parse(text).steps).toMatchObject([{ request: { method: 'POST', path: '/Users' } }])
  expect(text).not.toContain('anna')
})

it("another tenant's recordings are not shown, stopped or deleted", async () => {
  await browser.post(home, {})
  const action = actionOf((await browser.open(home)).text, 'stop')
  const other = await connect(store)
  const foreign = action.replace(client.tenantId, other.tenantId)
  expect((await browser.post(foreign, {})).status).toBe(404)
  expect((await browser.post(foreign.replace('stop', 'delete'), {})).status).toBe(404)
  expect((await browser.open(home)).text).toContain('recording</span>')
})
