import { expect } from 'vitest'
import type { Answer, Client } from '../support/harness.ts'
import { client } from '../support/spawned-server.ts'
import type { Site } from './site.ts'

/**
 * Creates a tenant, and writes a string to its names, resources, schemas and log. Returns the paths of its pages, each
 * with strings that the page shows.
 */
export async function injectTenant(
  site: Site,
  tenantId: string,
  text: string,
): Promise<readonly (readonly [path: string, ...shown: string[]])[]> {
  const name = nameOf(text)
  await created(site.send('POST', '/api/tenants', { id: tenantId, name }))
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const token = await created(site.send('POST', '/api/tokens', { tenantId, name, expiresAt }))
  const oauth = await created(site.send('POST', '/api/clients', { tenantId, name }))
  const schema = `urn:example:${tenantId}`
  await created(site.send('POST', `/api/tenants/${tenantId}/schemas`, schemaOf(schema, name, text)))

  const send = client({ origin: site.origin, token: String(token.token) })
  const user = { userName: text, displayName: text, externalId: name, nickName: text }
  const emails = [{ value: text, type: name }]
  const { id: userId } = await created(send('POST', '/Users', { ...user, emails }))
  const members = [{ value: userId, display: text }]
  const group = { displayName: text, externalId: name, members }
  const { id: groupId } = await created(send('POST', '/Groups', group))
  expect((await send('POST', '/Users', user)).status).toBe(409)
  const found = await send('GET', `/Users/${encodeURIComponent(name)}`)
  expect(found.status).toBe(404)
  const filter = encodeURIComponent(`userName eq ${name}`)
  expect((await send('GET', `/Users?filter=${filter}`)).status).toBe(400)

  const base = `/console/tenants/${tenantId}`
  const json = JSON.stringify(text)
  const rejected = await readRejected(site.send, tenantId)
  return [
    [base, name],
    [`${base}/tokens`, name],
    [`${base}/tokens/${token.id}`, name],
    [`${base}/clients`, name],
    [`${base}/clients/${oauth.id}`, name],
    [`${base}/schemas`, name],
    [`${base}/schemas/${schema}`, name, JSON.stringify(name)],
    [`${base}/users`, text, name],
    [`${base}/users/${userId}`, text, json],
    [`${base}/groups`, text, name],
    [`${base}/groups/${groupId}`, text, json],
    [`${base}/requests`, name],
    ...rejected.map((number) => [`${base}/requests/${number}`, name] as const),
  ]
}

/** Requests are stored in batches, which wait for each other. */
export const PATIENT = { timeout: 30_000 }

/** The start of a string, which is short enough for a name. */
export function nameOf(text: string): string {
  return text.slice(0, MAX_NAME_LENGTH)
}

async function created(sent: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await sent
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

function schemaOf(id: string, name: string, text: string) {
  const description = text.slice(0, 2_000)
  const attribute = { name: 'color', type: 'string', description, canonicalValues: [name] }
  return { resourceType: 'User', id, name, description, attributes: [attribute] }
}

/** Waits until the log contains the rejected requests, and returns their numbers. */
async function readRejected(send: Client['send'], tenantId: string): Promise<readonly string[]> {
  const list = () => send('GET', `/api/requests?tenantId=${tenantId}&status=4xx`)
  await expect.poll(async () => (await list()).body.requests?.length, PATIENT).toBe(3)
  return ((await list()).body.requests ?? []).map(({ number }) => String(number))
}

const MAX_NAME_LENGTH = 200
