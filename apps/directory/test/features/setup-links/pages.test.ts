import { expect, it } from 'vitest'
import { openTenantConsole, postForSecret } from '../../support/console-client.ts'

const { browser, home } = await openTenantConsole('setup-links')

it('an administrator creates a set-up link, which is shown once, and revokes it', async () => {
  expect((await browser.open(home)).text).toContain('A link has not been created yet.')
  const { secret } = await postForSecret(browser, home, { name: 'Ada <of> Acme', lifetime: '3600' })
  expect(secret).toMatch(/^http:\/\/localhost\/console\/set-up\/open\/[\w.-]+$/)
  const { text } = await browser.open(home)
  expect(text).toContain('Ada &lt;of&gt; Acme')
  const [, action = ''] = /action="([^"]+\/revoke)"/.exec(text) ?? []
  expect((await browser.confirm(action)).status).toBe(303)
  expect((await browser.open(home)).text).toContain('was revoked')
  expect((await browser.post(action, {})).status).toBe(404)
})

it("a set-up link needs the recipient's name", async () => {
  const { status, text } = await browser.post(home, { name: '', lifetime: '3600' })
  expect(status).toBe(422)
  expect(text).toContain('aria-invalid')
})
