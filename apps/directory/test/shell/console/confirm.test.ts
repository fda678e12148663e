import { describe, expect, it } from 'vitest'
import { createRecorder } from '../../../src/features/recordings/recorder.ts'
import { openConsole, openTenantConsole } from '../../support/console-client.ts'
import { cursorAt } from '../../support/cursors.ts'
import { type Client, connect } from '../../support/harness.ts'

const { store } = await openTenantConsole('settings')
const recorder = createRecorder({ store, now: Date.now })
const browser = await openConsole(store, { recorder })

/** An action: a form of the console, its fields, and a part of the API that it changes. */
interface Action {
  readonly form: string
  readonly fields?: Readonly<Record<string, string>>
  readonly changed: string
}

const SCHEMA = {
  resourceType: 'User',
  id: 'urn:example:a',
  name: 'A',
  attributes: [{ name: 'a', type: 'string' }],
}

/** Creates what an action needs, and returns the action. */
const ACTIONS: Readonly<Record<string, (admin: Client) => Promise<Action>>> = {
  'disable a tenant': async ({ tenantId }) => ({
    form: 'disable',
    changed: `/api/tenants/${tenantId}`,
  }),
  'delete a tenant': async ({ tenantId }) => ({
    form: 'delete',
    changed: `/api/tenants/${tenantId}`,
  }),
  'release changes': async (admin) => await paused(admin, 'release'),
  'drop changes': async (admin) => await paused(admin, 'drop'),
  'revoke a token': async (admin) => {
    const { tenantId } = admin
    const { id } = await created(admin, '/api/tokens', { tenantId, name: 'a' })
    return { form: `tokens/${id}/revoke`, changed: `/api/tokens?tenantId=${tenantId}` }
  },
  'revoke an administrator': async (admin) => {
    const { id } = await created(admin, '/api/tokens', { role: 'admin', name: 'a' })
    return { form: `/console/administrators/${id}/revoke`, changed: '/api/tokens' }
  },
  'revoke a set-up link': async (admin) => {
    const body = { tenantId: admin.tenantId, name: 'a', lifetimeSeconds: 3_600 }
    const { id } = await created(admin, '/api/setup-links', body)
    const changed = `/api/setup-links?tenantId=${admin.tenantId}`
    return { form: `setup-links/${id}/revoke`, changed }
  },
  'delete an OAuth client': async (admin) => {
    const { tenantId } = admin
    const { id } = await created(admin, '/api/clients', { tenantId, name: 'a' })
    return { form: `clients/${id}/delete`, changed: `/api/clients?tenantId=${tenantId}` }
  },
  'delete a schema': async (admin) => {
    const path = `/api/tenants/${admin.tenantId}/schemas`
    await created(admin, path, SCHEMA)
    return { form: `schemas/${SCHEMA.id}/delete`, changed: path }
  },
  'delete a recording': async (admin) => {
    const path = `/api/tenants/${admin.tenantId}/recordings`
    const { id } = await created(admin, path)
    await admin.send('POST', `${path}/${id}/stop`)
    return { form: `recordings/${id}/delete`, changed: path }
  },
  'skip a change of a webhook': async (admin) => {
    const path = await hook(admin)
    await admin.send('POST', '/Users', { userName: 'a' })
    const cursor = await cursorAt(admin, 1)
    return { form: `${path}/skip`, fields: { cursor }, changed: `/api${path.slice(8)}` }
  },
  'delete a webhook': async (admin) => {
    const path = await hook(admin)
    const changed = `/api/tenants/${admin.tenantId}/webhooks`
    return { form: `${path}/delete`, changed }
  },
}

describe('actions that cannot be reverted', () => {
  it.each(Object.entries(ACTIONS))(
    'an action that cannot be reverted asks first: %s',
    async (_, prepare) => {
      const admin = await connect(store, { role: 'admin', recorder })
      const { form, fields = {}, changed } = await prepare(admin)
      const home = `/console/tenants/${admin.tenantId}/`
      const path = form.startsWith('/') ? form : `${home}${form}`
      const read = async () => {
        const { status, body } = await admin.send('GET', changed)
        return { status, body }
      }
      const before = await read()
      const asked = await browser.post(path, fields)
      expect(asked.status).toBe(200)
      expect(asked.text).toMatch(/<h1[^>]*>[^<]+\?<\/h1>/)
      expect(asked.text).toMatch(/<p><a href="[^"]+">Cancel<\/a><\/p>/)
      expect(await read()).toEqual(before)
      const wrong = await browser.post(path, { ...fields, confirmation: 'no' })
      expect(wrong.status).toBe(422)
      expect(await read()).toEqual(before)
      // Deleting a tenant needs its id.
      const typed = asked.text.includes('to confirm') ? { confirmation: admin.tenantId } : null
      const done = await (typed === null
        ? browser.confirm(path, fields)
        : browser.post(path, { ...fields, ...typed }))
      expect(done.status).toBe(303)
      expect(await read()).not.toEqual(before)
    },
  )
})

async function created({ send }: Client, path: string, body?: object) {
  const answer = await send('POST', path, body)
  expect(answer.status).toBe(201)
  return answer.body
}

async function paused({ send, tenantId }: Client, action: string): Promise<Action> {
  const changed = `/api/tenants/${tenantId}/connection`
  await send('PATCH', changed, { state: 'paused' })
  await send('POST', '/Users', { userName: 'a' })
  return { form: `connection/${action}`, changed }
}

async function hook(admin: Client): Promise<string> {
  const path = `/api/tenants/${admin.tenantId}/webhooks`
  const { id } = await created(admin, path, { url: 'https://app.example.com/hook' })
  return `/console/tenants/${admin.tenantId}/webhooks/${id}`
}
