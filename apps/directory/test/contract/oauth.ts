import { sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../src/features/log/entry.ts'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import { HOUR } from '../../src/kernel/durations.ts'
import { createClientLimits } from '../../src/kernel/rate-limit/client-limits.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Answer, connect, sender } from '../support/harness.ts'

const FORM = 'application/x-www-form-urlencoded'

/** OAuth clients and their access tokens, on every store. */
export function oauthContract(storeOf: () => Store): void {
  describe('the token endpoint', () => {
    it.each(['client_secret_basic', 'client_secret_post'])(
      'the token endpoint issues a token to %s (RFC 6749 §5.1)',
      async (method) => {
        const { clientOf, ask, scim } = await openClients(storeOf())
        const { id, secret } = await clientOf()
        const isBasic = method === 'client_secret_basic'
        const answer = isBasic
          ? await ask(GRANT, basic(id, secret))
          : await ask(`${GRANT}&client_id=${id}&client_secret=${secret}`)
        expect([answer.status, answer.body]).toEqual([
          200,
          {
            access_token: expect.stringMatching(/^[\w.-]+$/),
            token_type: 'Bearer',
            expires_in: 3_600,
            scope: 'scim:read scim:write',
          },
        ])
        expect(answer.headers.get('Content-Type')).toBe('application/json')
        expect(answer.headers.get('Cache-Control')).toBe('no-store')
        expect(answer.headers.get('Pragma')).toBe('no-cache')
        const created = await scim(answer.body.access_token)('POST', '/Users', { userName: 'a' })
        expect(created.status).toBe(201)
      },
    )

    it.each<[string, string, string, number, string]>([
      ['a repeated parameter (§3.2)', `${GRANT}&${GRANT}`, 'basic', 400, 'invalid_request'],
      ['a repeated unknown parameter (§3.2)', `${GRANT}&a=1&a=1`, 'basic', 400, 'invalid_request'],
      ['no parameter', '', 'basic', 400, 'invalid_request'],
      ['no grant type', 'scope=scim:read', 'basic', 400, 'invalid_request'],
      [
        'two methods (§2.3)',
        `${GRANT}&client_id=ID&client_secret=SECRET`,
        'basic',
        400,
        'invalid_request',
      ],
      ['another grant (§5.2)', 'grant_type=password', 'basic', 400, 'unsupported_grant_type'],
      [
        'a grant in capitals',
        'grant_type=CLIENT_CREDENTIALS',
        'basic',
        400,
        'unsupported_grant_type',
      ],
      ['an unknown scope (§5.2)', `${GRANT}&scope=admin`, 'basic', 400, 'invalid_scope'],
      ['no credentials', GRANT, 'none', 401, 'invalid_client'],
      ['a wrong secret', GRANT, 'wrong', 401, 'invalid_client'],
      [
        'a wrong secret in the form',
        `${GRANT}&client_id=ID&client_secret=x`,
        'none',
        401,
        'invalid_client',
      ],
      [
        'an unknown client',
        `${GRANT}&client_id=x&client_secret=SECRET`,
        'none',
        401,
        'invalid_client',
      ],
      [
        'an id with NUL',
        `${GRANT}&client_id=%00&client_secret=SECRET`,
        'none',
        401,
        'invalid_client',
      ],
      [
        'a long id',
        `${GRANT}&client_id=${'x'.repeat(10_000)}&client_secret=s`,
        'none',
        401,
        'invalid_client',
      ],
      [
        'a secret of 900 kB',
        `${GRANT}&client_id=ID&client_secret=${'x'.repeat(9_000)}`,
        'none',
        401,
        'invalid_client',
      ],
      [
        'a secret with unicode',
        `${GRANT}&client_id=ID&client_secret=%F0%9F%94%91`,
        'none',
        401,
        'invalid_client',
      ],
      ['Basic without a colon (RFC 7617 §2)', GRANT, `Basic ${btoa('ID')}`, 401, 'invalid_client'],
      ['Basic that is not base64', GRANT, 'Basic ****', 401, 'invalid_client'],
      ['Basic that is empty', GRANT, 'Basic', 401, 'invalid_client'],
      ['a bearer token', GRANT, 'Bearer x', 401, 'invalid_client'],
    ])('the token endpoint rejects %s', async (_, form, method, status, error) => {
      const { clientOf, ask } = await openClients(storeOf())
      const { id, secret } = await clientOf()
      const headers: Readonly<Record<string, Record<string, string>>> = {
        none: {},
        basic: basic(id, secret),
        wrong: basic(id, `${secret.slice(1)}x`),
      }
      const sent = form.replaceAll('ID', id).replaceAll('SECRET', secret)
      const answer = await ask(sent, headers[method] ?? { Authorization: method })
      expect([answer.status, answer.body]).toEqual([
        status,
        { error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) },
      ])
      expect(answer.headers.get('Content-Type')).toBe('application/json')
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      expect(answer.headers.get('Pragma')).toBe('no-cache')
      // RFC 9110 §15.5.2, and RFC 6749 §5.2 for Basic.
      const challenge = status === 401 ? 'Basic realm="oauth", charset="UTF-8"' : null
      expect(answer.headers.get('WWW-Authenticate')).toBe(challenge)
    })

    it('the token endpoint rejects a body that is not a form with 415, not UTF-8 with 400, and over 16 KiB with 413', async () => {
      const { clientOf, ask } = await openClients(storeOf())
      const { id, secret } = await clientOf()
      const json = { ...basic(id, secret), 'Content-Type': 'application/json' }
      expect((await ask('{"grant_type":"client_credentials"}', json)).status).toBe(415)
      const surrogate = `${GRANT}&client_id=%ED%A0%80&client_secret=s`
      expect((await ask(surrogate, {})).status).toBe(400)
      expect((await ask(`${GRANT}&x=${'x'.repeat(2 ** 14)}`, basic(id, secret))).status).toBe(413)
    })

    it("the token endpoint issues at most the requested part of the client's scope (§3.3)", async () => {
      const { clientOf, ask, scim } = await openClients(storeOf())
      const writer = await clientOf()
      const less = await ask(`${GRANT}&scope=scim:read`, basic(writer.id, writer.secret))
      expect(less.body.scope).toBe('scim:read')
      const send = scim(less.body.access_token)
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(403)
      const reader = await clientOf({ access: 'read' })
      const all = await ask(GRANT, basic(reader.id, reader.secret))
      expect(all.body.scope).toBe('scim:read')
      const more = await ask(`${GRANT}&scope=scim:write`, basic(reader.id, reader.secret))
      expect([more.status, more.body.error]).toEqual([400, 'invalid_scope'])
    })

    it('the token endpoint rejects too many requests from a client and too many secrets from an address with 429', async () => {
      const limits = createClientLimits({
        requests: { perSecond: 1, burst: 3 },
        now: () => 0,
        proxies: 0,
        isBehindProxy: false,
      })
      const { clientOf, ask } = await openClients(storeOf(), {
        limits,
        token: 'of-the-environment',
      })
      const { id, secret } = await clientOf()
      const [other, unused] = [await clientOf(), await clientOf()]
      const statuses: number[] = []
      for (let at = 0; at < 4; at += 1) statuses.push((await ask(GRANT, basic(id, secret))).status)
      expect(statuses).toEqual([200, 200, 200, 429])
      const limited = await ask(GRANT, basic(id, secret))
      expect(limited.headers.get('Retry-After')).toBe('1')
      // Each client has a limit of its own.
      expect((await ask(GRANT, basic(other.id, other.secret))).status).toBe(200)
      for (let at = 0; at < 61; at += 1) await ask(GRANT, basic(other.id, `guess-${at}`))
      expect((await ask(GRANT, basic(unused.id, unused.secret))).status).toBe(429)
    })

    it("guesses at an active client's secret are counted, and the client's own secret and tokens are still accepted", async () => {
      const limits = createClientLimits({
        requests: { perSecond: 1_000, burst: 1_000 },
        now: () => 0,
        proxies: 0,
        isBehindProxy: false,
      })
      const { clientOf, tokenOf, ask, directory } = await openClients(storeOf(), { limits })
      const known = await clientOf()
      const other = await clientOf()
      const fetch = (request: Request) => directory.fetch(request, { address: '192.0.2.1' })
      const send = sender({ fetch }, await tokenOf(known))
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      const statuses: number[] = []
      for (let at = 0; at < 80; at += 1) {
        statuses.push((await ask(GRANT, basic(known.id, `guess-${at}`))).status)
      }
      expect(statuses).toEqual([...Array(60).fill(401), ...Array(20).fill(429)])
      // The address may be that of the identity provider of others, too.
      expect((await ask(GRANT, basic(other.id, other.secret))).status).toBe(429)
      expect((await ask(GRANT, basic(known.id, known.secret))).status).toBe(200)
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      const guess = sender({ fetch }, `oauth.W10.${'x'.repeat(43)}`)
      expect((await guess('GET', '/Users?count=0')).status).toBe(429)
    })

    it('a replaced secret does not pass the limit on guesses', async () => {
      const limits = createClientLimits({
        requests: { perSecond: 1_000, burst: 1_000 },
        now: () => 0,
        proxies: 0,
        isBehindProxy: false,
      })
      const { clientOf, tokenOf, ask, admin } = await openClients(storeOf(), { limits })
      const client = await clientOf()
      await tokenOf(client)
      const path = `/api/clients/${client.id}/rotate`
      const { body } = await admin('POST', path, { overlapSeconds: 0 })
      expect((await ask(GRANT, basic(client.id, client.secret))).status).toBe(401)
      expect((await ask(GRANT, basic(client.id, String(body.secret)))).status).toBe(200)
      for (let at = 0; at < 80; at += 1) await ask(GRANT, basic(client.id, `guess-${at}`))
      expect((await ask(GRANT, basic(client.id, client.secret))).status).toBe(429)
      expect((await ask(GRANT, basic(client.id, String(body.secret)))).status).toBe(200)
    })
  })

  describe('a client with rejected credentials', () => {
    it("a client with rejected credentials is in the tenant's provisioning log, with the reason and without the secret", async () => {
      const log = createProvisioningLog({ store: storeOf(), now: Date.now, days: 30, rows: 1_000 })
      const { admin, clientOf, ask, tenantId } = await openClients(storeOf(), { provisioning: log })
      const { id, secret } = await clientOf()
      const wrong = `${secret.slice(1)}~`
      const answers = [
        await ask(GRANT, basic(id, wrong)),
        await ask(`${GRANT}&client_id=${id}&client_secret=${wrong}`),
        await ask(GRANT, basic(id, wrong), `?client_secret=${wrong}`),
      ]
      await log.close()
      const { body } = await admin('GET', `/api/requests?tenantId=${tenantId}`)
      expect(body.requests).toHaveLength(3)
      for (const [at, answer] of answers.reverse().entries()) {
        expect(body.requests?.[at]).toMatchObject({
          requestId: answer.headers.get('X-Request-Id'),
          tenantId,
          tokenId: id,
          status: 401,
          rejection: 'wrong-secret',
          method: 'POST',
          path: '/scim/oauth/token',
          operation: 'token',
        })
      }
      const number = body.requests?.[0]?.number
      const one = await admin('GET', `/api/requests/${number}?tenantId=${tenantId}`)
      expect(one.body.exchange).toEqual({
        headers: { 'Content-Type': FORM },
        isCut: false,
        answer: null,
      })
      const { rows } = await storeOf().read((db) =>
        db.exec(sql`select * from requests where tenant_id = ${tenantId}`),
      )
      expect(JSON.stringify(rows)).toContain(id)
      for (const text of [wrong, encodeURIComponent(wrong), btoa(`${id}:${wrong}`)]) {
        expect(JSON.stringify(rows)).not.toContain(text)
      }
    })

    it('a client with rejected credentials is logged without a tenant if it is unknown', async () => {
      const { ask, logged } = await openClients(storeOf())
      await ask(GRANT, basic('unknown', 'secret'))
      expect(logged).toMatchObject([{ status: 401, rejection: UNKNOWN_CLIENT }])
    })

    it('a client with rejected credentials is logged with the reason if the tenant is disabled or deleted', async () => {
      const { admin, clientOf, ask, logged, tenantId } = await openClients(storeOf())
      const { id, secret } = await clientOf()
      await admin('PATCH', `/api/tenants/${tenantId}`, { disabled: true })
      await ask(GRANT, basic(id, secret))
      expect(logged.at(-1)?.rejection).toEqual({ reason: 'disabled', tenantId, tokenId: id })
      await admin('DELETE', `/api/tenants/${tenantId}`)
      await ask(GRANT, basic(id, secret))
      expect(logged.at(-1)?.rejection).toEqual(UNKNOWN_CLIENT)
    })

    it("a client with rejected credentials fills the tenant's log with ten rows at most without a pause", async () => {
      const { clientOf, ask, logged } = await openClients(storeOf())
      const client = await clientOf()
      const other = await clientOf()
      for (let at = 0; at < 15; at += 1) {
        expect((await ask(GRANT, basic(client.id, 'wrong'))).status).toBe(401)
      }
      expect(logged).toHaveLength(10)
      await ask(GRANT, basic(other.id, 'wrong'))
      expect(logged.at(-1)?.rejection?.tokenId).toBe(other.id)
    })

    it('a client is not logged for an invalid request, nor for one that succeeds', async () => {
      const { clientOf, ask, logged } = await openClients(storeOf())
      const { id, secret } = await clientOf()
      expect((await ask(GRANT, basic(id, secret))).status).toBe(200)
      expect((await ask('', basic(id, secret))).status).toBe(400)
      expect((await ask(GRANT, {})).status).toBe(401)
      expect(logged).toEqual([])
    })
  })

  describe('an access token', () => {
    it('an access token is rejected after an hour, and logged as expired with the client', async () => {
      const { tokenOf, scim, clock, logged, tenantId, clientOf } = await openClients(storeOf())
      const client = await clientOf()
      const send = scim(await tokenOf(client))
      clock.time += HOUR - 1
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      clock.time += 1
      const rejected = await send('GET', '/Users?count=0')
      expect([rejected.status, rejected.headers.get('WWW-Authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Bearer/),
      ])
      expect(logged.map(({ tokenId, rejection }) => [tokenId, rejection])).toEqual([
        [client.id, null],
        [null, { reason: 'expired', tenantId, tokenId: client.id }],
      ])
    })

    it("a deleted client's access token is rejected, and logged as revoked", async () => {
      const { admin, tokenOf, clientOf, scim, logged, tenantId } = await openClients(storeOf())
      const client = await clientOf()
      const send = scim(await tokenOf(client))
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      expect((await admin('DELETE', `/api/clients/${client.id}`)).status).toBe(204)
      expect((await send('GET', '/Users?count=0')).status).toBe(401)
      expect(logged.at(-1)?.rejection).toEqual({ reason: 'revoked', tenantId, tokenId: client.id })
      expect((await admin('DELETE', `/api/clients/${client.id}`)).status).toBe(404)
    })

    it("an access token is valid only in the client's own tenant", async () => {
      const one = await openClients(storeOf())
      const other = await openClients(storeOf())
      const client = await one.clientOf()
      const token = await one.tokenOf(client)
      const at = async (tenantId: string) => {
        const headers = { Authorization: `Bearer ${token}` }
        const url = `http://localhost/scim/tenants/${tenantId}/v2/Users?count=0`
        return (await one.directory.fetch(new Request(url, { headers }))).status
      }
      expect([await at(one.tenantId), await at(other.tenantId)]).toEqual([200, 401])
      expect(one.logged.at(-1)?.rejection?.reason).toBe('other-tenant')
    })

    it('an access token never administers, and may have a profile and a user', async () => {
      const { admin, clientOf, tokenOf, scim } = await openClients(storeOf())
      const user = await scim(await tokenOf(await clientOf()))('POST', '/Users', { userName: 'me' })
      const client = await clientOf({ profile: 'entra', userId: user.body.id })
      const token = await tokenOf(client)
      expect(
        (await admin('GET', '/api/tenants', undefined, { Authorization: `Bearer ${token}` }))
          .status,
      ).toBe(403)
      const send = scim(token)
      expect((await send('GET', '/Me')).body.id).toBe(user.body.id)
      const patch = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [] }
      // The profile `entra` accepts a PATCH without operations.
      expect((await send('PATCH', `/Users/${user.body.id}`, patch)).status).toBe(200)
    })

    it('an access token from a disabled tenant is rejected with 403, and the client gets no other', async () => {
      const { admin, clientOf, tokenOf, ask, scim, logged, tenantId } = await openClients(storeOf())
      const client = await clientOf()
      const send = scim(await tokenOf(client))
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      await admin('PATCH', `/api/tenants/${tenantId}`, { disabled: true })
      expect((await send('GET', '/Users?count=0')).status).toBe(403)
      expect(logged.at(-1)?.rejection).toEqual({ reason: 'disabled', tenantId, tokenId: client.id })
      const answer = await ask(GRANT, basic(client.id, client.secret))
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
    })

    it('an access token with another signature is unknown', async () => {
      const { clientOf, tokenOf, scim, logged } = await openClients(storeOf())
      const token = await tokenOf(await clientOf())
      const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
      expect((await scim(changed)('GET', '/Users?count=0')).status).toBe(401)
      expect(logged.at(-1)?.rejection).toEqual({ reason: 'unknown', tenantId: null, tokenId: null })
    })
  })

  describe('a client secret', () => {
    it('a client secret is replaced, and the one before it is valid during the overlap', async () => {
      const { admin, clientOf, ask, tokenOf, scim, clock } = await openClients(storeOf())
      const first = await clientOf()
      const old = scim(await tokenOf(first))
      const rotated = await admin('POST', `/api/clients/${first.id}/rotate`, { overlapSeconds: 60 })
      expect(rotated.status).toBe(200)
      expect(rotated.body.oldSecretExpiresAt).toBe(new Date(clock.time + 60_000).toISOString())
      const second = { id: first.id, secret: String(rotated.body.secret) }
      const statusesOf = async () => [
        (await ask(GRANT, basic(first.id, first.secret))).status,
        (await ask(GRANT, basic(second.id, second.secret))).status,
        (await old('GET', '/Users?count=0')).status,
      ]
      clock.time += 59_999
      expect(await statusesOf()).toEqual([200, 200, 200])
      clock.time += 1
      expect(await statusesOf()).toEqual([401, 200, 401])
      expect((await scim(await tokenOf(second))('GET', '/Users?count=0')).status).toBe(200)
    })

    it('a client secret is rejected immediately without an overlap, and so are the access tokens', async () => {
      const { admin, clientOf, ask, tokenOf, scim, logged } = await openClients(storeOf())
      const first = await clientOf()
      const send = scim(await tokenOf(first))
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      await admin('POST', `/api/clients/${first.id}/rotate`, { overlapSeconds: 0 })
      expect((await send('GET', '/Users?count=0')).status).toBe(401)
      expect(logged.at(-1)?.rejection?.reason).toBe('revoked')
      expect((await ask(GRANT, basic(first.id, first.secret))).status).toBe(401)
    })

    it('a client secret is never older than the one before the last', async () => {
      const { admin, clientOf, ask } = await openClients(storeOf())
      const first = await clientOf()
      for (const _ of [1, 2]) await admin('POST', `/api/clients/${first.id}/rotate`, {})
      expect((await ask(GRANT, basic(first.id, first.secret))).status).toBe(401)
    })

    it('a client secret is not stored', async () => {
      const { admin, clientOf, tenantId } = await openClients(storeOf())
      const { secret } = await clientOf()
      const list = await admin('GET', `/api/clients?tenantId=${tenantId}`)
      expect(JSON.stringify(list.body)).not.toContain(secret)
      const { rows } = await storeOf().read((db) => db.exec(sql`select * from clients`))
      expect(JSON.stringify(rows)).not.toContain(secret)
    })
  })
}

export const GRANT = 'grant_type=client_credentials'
const UNKNOWN_CLIENT = { reason: 'unknown-client', tenantId: null, tokenId: null }

/** HTTP Basic with the credentials of a client. */
export function basic(id: string, secret: string) {
  return { Authorization: `Basic ${btoa(`${id}:${secret}`)}` }
}

/** A tenant, its administrator, and the means to create clients and access tokens. */
export async function openClients(store: Store, options: Parameters<typeof connect>[1] = {}) {
  const clock = { time: Date.parse('2026-11-22T12:00:00Z') }
  const logged: AnsweredRequest[] = []
  const provisioning = {
    add: (answered: AnsweredRequest) => void logged.push(answered),
    flush: async () => undefined,
    counts: () => ({ waiting: 0, stored: 0, dropped: 0 }),
    close: async () => undefined,
  }
  const now = () => clock.time
  const { directory, tenantId, send } = await connect(store, {
    role: 'admin',
    now,
    provisioning,
    ...options,
  })
  const ask = async (
    form: string,
    headers: Readonly<Record<string, string>> = {},
    query: string = '',
  ) => {
    const sent = { 'Content-Type': FORM, ...headers }
    const url = `http://localhost/scim/oauth/token${query}`
    const request = new Request(url, { method: 'POST', headers: sent, body: form })
    const response = await directory.fetch(request, { address: '192.0.2.1' })
    const body: Answer['body'] = JSON.parse(await response.text())
    return { status: response.status, headers: response.headers, body }
  }
  const clientOf = async (more: object = {}) => {
    const { status, body } = await send('POST', '/api/clients', {
      tenantId,
      name: 'Entra',
      ...more,
    })
    expect(status).toBe(201)
    return { id: String(body.id), secret: String(body.secret) }
  }
  const tokenOf = async ({ id, secret }: { readonly id: string; readonly secret: string }) => {
    const { status, body } = await ask(GRANT, basic(id, secret))
    expect(status).toBe(200)
    return String(body.access_token)
  }
  const scim = (token: unknown) => sender(directory, String(token))
  return { directory, tenantId, admin: send, ask, clientOf, tokenOf, scim, clock, logged }
}
