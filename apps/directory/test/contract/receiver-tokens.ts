import { unwrap } from '@plumbline/result'
import { sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { apiDocument } from '../../src/shell/operations.ts'
import { type Client, connect, problem, sender } from '../support/harness.ts'
import { createEventReader } from '../support/live-events.ts'

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'
const PATCH = { schemas: [`${MESSAGES}:PatchOp`], Operations: [{ op: 'remove', path: 'title' }] }
const SEARCH = { schemas: [`${MESSAGES}:SearchRequest`], count: 1 }
const BULK = {
  schemas: [`${MESSAGES}:BulkRequest`],
  Operations: [{ method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'b' } }],
}

/** Tokens of the role `receiver`, on every store. */
export function receiverTokenContract(storeOf: () => Store): void {
  /** A tenant with a user in a group, and its receiver. */
  const connected = async () => {
    const admin = await connect(storeOf(), { role: 'admin' })
    const user = await admin.send('POST', '/Users', { userName: 'anna', title: 'Engineer' })
    const members = [{ value: user.body.id }]
    const group = await admin.send('POST', '/Groups', { displayName: 'all', members })
    return { admin, user, group, ...(await createReceiver(admin)) }
  }

  it('a receiver token is created for a tenant, listed, rotated with the role, and revoked', async () => {
    const { admin, id, text, send } = await connected()
    const path = `/api/tokens?tenantId=${admin.tenantId}`
    const listed = (await admin.send('GET', path)).body.tokens
    expect(listed).toContainEqual(expect.objectContaining({ id, role: 'receiver', access: 'read' }))
    const rotated = await admin.send('POST', `/api/tokens/${id}/rotate`, { overlapSeconds: 0 })
    expect(rotated.body).toMatchObject({ role: 'receiver', access: 'read', replaces: id })
    expect((await send('GET', changesOf(admin))).status).toBe(401)
    const next = sender(admin.directory, String(rotated.body.token))
    expect((await next('GET', changesOf(admin))).status).toBe(200)
    await admin.send('DELETE', `/api/tokens/${rotated.body.id}`)
    expect((await next('GET', changesOf(admin))).status).toBe(401)
    expect(text).not.toBe('')
  })

  it('a receiver token is rejected with write access, and for a missing tenant', async () => {
    const admin = await connect(storeOf(), { role: 'admin' })
    const body = { name: 'a', role: 'receiver', tenantId: admin.tenantId }
    const writing = await admin.send('POST', '/api/tokens', { ...body, access: 'write' })
    expect(writing).toMatchObject(problem(422, 'invalid'))
    const other = await admin.send('POST', '/api/tokens', { ...body, tenantId: 'missing' })
    expect(other.status).toBe(404)
  })

  it('a receiver token expires', async () => {
    let time = Date.now()
    const admin = await connect(storeOf(), { role: 'admin', now: () => time })
    const expiresAt = new Date(time + 60_000).toISOString()
    const { send } = await createReceiver(admin, { expiresAt })
    expect((await send('GET', changesOf(admin))).status).toBe(200)
    time += 60_000
    expect((await send('GET', changesOf(admin))).status).toBe(401)
  })

  it("a receiver token permits no management API operation, except the tenant's changes and members", async () => {
    const { admin, send } = await connected()
    const permitted: string[] = []
    const open: string[] = []
    for (const { operationId, method, path, security } of operations()) {
      const target = path.replace('{tenantId}', admin.tenantId).replaceAll(/\{\w+\}/g, 'a')
      // A stream would not end.
      if (target.endsWith('/changes/live')) continue
      if (security.some((one) => Object.keys(one).length === 0) || security.length === 0) {
        open.push(operationId)
        continue
      }
      const { status } = await send(method.toUpperCase(), target, hasBody(method) ? {} : undefined)
      if (status !== 403) permitted.push(`${operationId} ${status}`)
    }
    expect(permitted).toEqual(['listChanges 200', 'listMembers 404'])
    expect(open.sort()).toEqual(OPEN)
  })

  it("a receiver token reads the tenant's changes and members, and nothing in another tenant", async () => {
    const { admin, group, send } = await connected()
    const changes = await send('GET', changesOf(admin))
    expect(changes.body.changes).toHaveLength(3)
    const members = `/groups/${group.body.id}/members`
    const own = `/api/tenants/${admin.tenantId}`
    expect((await send('GET', `${own}${members}`)).body.members).toHaveLength(1)
    const other = await connect(storeOf())
    for (const tenantId of [other.tenantId, 'missing', `${admin.tenantId}x`, 'default']) {
      for (const path of ['/changes', '/changes/live', members]) {
        const answer = await send('GET', `/api/tenants/${tenantId}${path}`)
        expect(answer).toMatchObject(problem(403, 'forbidden'))
        expect(answer.headers.get('WWW-Authenticate')).toBe(
          'Bearer error="insufficient_scope", scope="receiver"',
        )
      }
    }
    for (const path of [
      `${own}/../${other.tenantId}/changes`,
      `${own}/%2e%2e/${other.tenantId}/changes`,
      `/api/tenants/${admin.tenantId}%2f..%2f${other.tenantId}/changes`,
      `/api/tenants/${other.tenantId}/changes?tenantId=${admin.tenantId}`,
    ]) {
      expect([403, 404]).toContain((await send('GET', path)).status)
    }
  })

  it("a receiver token watches the tenant's changes until it is revoked", async () => {
    const { admin, id, text } = await connected()
    const watched = await watch(admin, text)
    expect(watched.status).toBe(200)
    const next = createEventReader(watched)
    await admin.send('POST', '/Users', { userName: 'bjorn' })
    expect((await next())?.data).toMatchObject({ type: 'user.created' })
    await admin.send('DELETE', `/api/tokens/${id}`)
    await admin.send('POST', '/Users', { userName: 'chloe' })
    expect(await next()).toBe(null)
    expect((await watch(admin, text)).status).toBe(401)
  })

  describe('at the SCIM endpoint', () => {
    it.each([
      ['GET', '/Users', 200],
      ['GET', '/Users/{id}', 200],
      ['HEAD', '/Users/{id}', 200],
      ['GET', '/Groups', 200],
      ['GET', '/Schemas', 200],
      ['GET', '/ResourceTypes', 200],
      ['GET', '/ServiceProviderConfig', 200],
      ['POST', '/Users/.search', 200, SEARCH],
      ['POST', '/.search', 200, SEARCH],
      ['POST', '/Users', 403, { userName: 'b' }],
      ['PUT', '/Users/{id}', 403, { userName: 'b' }],
      ['PATCH', '/Users/{id}', 403, PATCH],
      ['DELETE', '/Users/{id}', 403],
      ['POST', '/Groups', 403, { displayName: 'b' }],
      ['DELETE', '/Groups/a', 403],
      ['POST', '/Bulk', 403, BULK],
      ['DELETE', '/Me', 403],
    ] as const)(
      'a receiver token gets for %s %s the status %i (RFC 7644 §3.2)',
      async (method, path, status, body?) => {
        const { user, send } = await connected()
        const answer = await send(method, path.replace('{id}', String(user.body.id)), body)
        expect(answer.status).toBe(status)
      },
    )
  })

  it('a token with a role unknown to this version is rejected everywhere, and can be revoked', async () => {
    const { admin, id, send } = await connected()
    await storeOf().write((db) =>
      db.exec(sql`update tokens set role = ${'auditor'} where id = ${id}`),
    )
    for (const [method, path] of [
      ['GET', '/Users'],
      ['POST', '/Users/.search'],
      ['GET', changesOf(admin)],
      ['GET', '/api/tenants'],
    ] as const) {
      expect((await send(method, path)).status).toBe(401)
    }
    const { body } = await admin.send('GET', `/api/tokens?tenantId=${admin.tenantId}`)
    expect(body.tokens).toContainEqual(expect.objectContaining({ id, role: null }))
    expect((await admin.send('DELETE', `/api/tokens/${id}`)).status).toBe(204)
  })
}

/** The operations that do not need credentials. */
const OPEN = ['createAccessToken', 'getAuthorizationServer', 'getHealth', 'getKeys', 'getReadiness']

async function createReceiver(admin: Client, options: object = {}) {
  const body = { name: 'app', role: 'receiver', tenantId: admin.tenantId, ...options }
  const created = await admin.send('POST', '/api/tokens', body)
  expect(created).toMatchObject({ status: 201, body: { role: 'receiver', access: 'read' } })
  const text = String(created.body.token)
  return { id: String(created.body.id), text, send: sender(admin.directory, text) }
}

function changesOf({ tenantId }: Client): string {
  return `/api/tenants/${tenantId}/changes`
}

async function watch({ directory, tenantId }: Client, text: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${text}` }
  const url = `http://localhost/api/tenants/${tenantId}/changes/live`
  return await directory.fetch(new Request(url, { headers }))
}

interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

/** Every operation of the built document, with its own security or that of the document. */
function operations(): readonly Operation[] {
  const { paths = {}, security = [] } = JSON.parse(
    JSON.stringify(unwrap(apiDocument.build())),
  ) as Built
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation.operationId === undefined
        ? []
        : [{ operationId: operation.operationId, method, path, security, ...operation }],
    ),
  )
}

interface Built extends Pick<Operation, 'security'> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Partial<Operation>>>>>
}

function hasBody(method: string): boolean {
  return ['post', 'put', 'patch'].includes(method)
}
