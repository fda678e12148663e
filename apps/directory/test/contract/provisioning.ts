import { beforeAll, describe, expect, it } from 'vitest'
import { findRequests, type RequestQuery } from '../../src/features/log/find-requests.ts'
import {
  createProvisioningLog,
  type ProvisioningLog,
} from '../../src/features/log/provisioning-log.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Answer, type Body, type Client, connect } from '../support/harness.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The provisioning log on every store. */
export function provisioningContract(storeOf: () => Store): void {
  let time = Date.parse('2026-11-22T12:00:00Z')
  const now = () => time
  let log: ProvisioningLog
  let client: Client
  let other: Client
  beforeAll(async () => {
    log = createProvisioningLog({ store: storeOf(), now, days: 30, rows: 1_000 })
    client = await connect(storeOf(), { provisioning: log, role: 'admin', now, profile: 'entra' })
    other = await connect(storeOf(), { provisioning: log, now })
  })

  /** The requests of the client's tenant, the newest first, as soon as they are stored. */
  const list = async (query: Record<string, string> = {}): Promise<Answer> => {
    await log.flush()
    const parameters = new URLSearchParams({ tenantId: client.tenantId, ...query })
    const answer = await client.send('GET', `/api/requests?${parameters}`)
    expect(answer.status).toBe(200)
    return answer
  }
  const requestsOf = async (query: Record<string, string> = {}) => (await list(query)).body.requests
  const newest = async (): Promise<Body | undefined> => (await requestsOf({ count: '1' }))?.[0]
  const exchangeOf = async (number: unknown) => {
    const path = `/api/requests/${number}?tenantId=${client.tenantId}`
    const { status, body } = await client.send('GET', path)
    expect(status).toBe(200)
    return body
  }

  describe('a log entry', () => {
    let id = ''
    beforeAll(async () => {
      id = String((await client.send('POST', '/Users', { userName: 'Anna' })).body.id)
    })

    it.each([
      ['GET', '/Users?filter=userName%20eq%20%22ANNA%22', 200, 'list', 'User'],
      ['GET', '/Users/{id}', 200, 'read', 'User'],
      ['GET', '/Users/{id}?attributes=displayName', 200, 'read', 'User'],
      ['HEAD', '/Users/{id}', 200, 'read', 'User'],
      ['PUT', '/Users/{id}', 200, 'replace', 'User', { userName: 'Anna' }],
      ['PATCH', '/Users/{id}', 200, 'patch', 'User', { Operations: [] }],
      ['POST', '/Users/.search', 200, 'search', 'User', {}],
      ['GET', '/Groups', 200, 'list', 'Group'],
      ['POST', '/Groups', 201, 'create', 'Group', { displayName: 'all' }],
      ['POST', '/.search', 200, 'search', null, {}],
      ['POST', '/Bulk', 200, 'bulk', null, { Operations: [] }],
      ['GET', '/Schemas', 200, 'discover', null],
      ['GET', '/Me', 404, 'read', null],
      ['GET', '/Users/none', 404, 'read', 'User'],
      ['GET', '/Nothing', 404, 'unknown', null],
      ['PUT', '/Users', 405, 'unknown', null],
    ] as const)('a log entry has the facts about %s %s %i', async (...row) => {
      const [method, template, status, operation, resourceType, sent] = row
      const path = template.replace('{id}', id)
      time += 1
      const body = sent && { schemas: [SCHEMAS[operation]], ...sent }
      const answer = await client.send(method, path, body)
      expect([answer.status, answer.body?.detail]).toEqual([status, answer.body?.detail])
      const isOnUser = template.includes('{id}') || template.includes('ANNA')
      const entry = await newest()
      expect(entry).toEqual({
        number: expect.stringMatching(/^\d+$/),
        requestId: answer.headers.get('X-Request-Id'),
        time: new Date(time).toISOString(),
        milliseconds: expect.any(Number),
        tenantId: client.tenantId,
        tokenId: client.token.split('.')[0],
        rejection: null,
        method,
        path,
        operation,
        resourceType,
        resourceId: isOnUser ? id : entry?.resourceId,
        userName: template.includes('displayName') ? null : isOnUser ? 'Anna' : null,
        status,
        scimType: null,
        detail: status < 400 ? null : answer.body.detail,
        attribute: null,
        ignored: [],
      })
    })

    it('an entry for a PATCH names the attributes the profile ignored', async () => {
      const patch = { op: 'replace', path: 'emails[type eq "work"].valu', value: 'hunter2' }
      const { status } = await client.send('PATCH', `/Users/${id}`, {
        schemas: [PATCH_OP],
        Operations: [patch, { op: 'add', value: { nickNam: 'hunter2' } }],
      })
      const entry = await newest()
      expect([status, entry?.ignored]).toEqual([200, ['emails.valu', 'nickNam']])
      expect(JSON.stringify(await exchangeOf(entry?.number))).not.toContain('hunter2')
    })

    it('an entry for a created resource has its id', async () => {
      const { body } = await client.send('POST', '/Users', { userName: 'Created' })
      expect(await newest()).toMatchObject({ resourceId: body.id, userName: 'Created' })
    })

    it('an entry for a rejected request has the bodies, and for another has not', async () => {
      await client.send('POST', '/Users', { userName: 'ANNA', title: 'Engineer' })
      const entry = await newest()
      expect(entry).toMatchObject({ status: 409, scimType: 'uniqueness', userName: 'ANNA' })
      expect(entry).not.toHaveProperty('exchange')
      const { exchange } = await exchangeOf(entry?.number)
      expect(exchange).toEqual({
        headers: { 'Content-Type': 'application/scim+json' },
        body: { userName: 'ANNA', title: 'Engineer' },
        isCut: false,
        answer: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          status: '409',
          scimType: 'uniqueness',
          detail: entry?.detail,
        },
      })
      await client.send('GET', `/Users/${id}`)
      expect((await exchangeOf((await newest())?.number)).exchange).toBe(null)
    })

    it('an entry for a rejected change has the userName from the request', async () => {
      await client.send('PUT', `/Users/${id}`, { userName: 'Created' })
      expect(await newest()).toMatchObject({ status: 409, resourceId: id, userName: 'Created' })
    })

    it('an entry does not have a body that is not JSON', async () => {
      await client.send('POST', '/Users', '{"password":"hunter2"')
      const entry = await newest()
      expect(entry).toMatchObject({ status: 400, scimType: 'invalidSyntax' })
      const { exchange } = await exchangeOf(entry?.number)
      expect(exchange).not.toHaveProperty('body')
      expect(JSON.stringify([entry, exchange])).not.toContain('hunter2')
    })

    it('an entry for a request with a NUL character or a lone surrogate is stored', async () => {
      await client.send('POST', '/Users', '{"userName":"a\\u0000b","x":"\\ud800"}')
      expect(await newest()).toMatchObject({ status: 400 })
      await client.send('POST', '/Users', '{"userName":"a\\u0000b"}')
      expect(await newest()).toMatchObject({ status: 400, userName: 'a\0b' })
      await client.send('GET', '/Users?filter=userName%20eq%20%22a%00b%22')
      expect((await newest())?.path).toContain('%00')
      const long = 'a'.repeat(3_000)
      await client.send('POST', '/Users', { userName: long })
      expect(await newest()).toMatchObject({ status: 400, userName: 'a'.repeat(250) })
      await client.send('GET', `/Users/${long}`)
      expect(await newest()).toMatchObject({ status: 404, path: '/Users/***', resourceId: null })
    })
  })

  describe('a rejected token', () => {
    const rejected = async (token: string, tenantId?: string) => {
      const headers = { Authorization: token }
      const answer = await client.send('GET', '/Users', undefined, headers)
      expect(answer.status).toBe(401)
      await log.flush()
      const query = tenantId === undefined ? '' : `&tenantId=${tenantId}`
      const { body } = await client.send('GET', `/api/requests?count=1${query}`)
      expect(body.requests?.[0]?.requestId).toBe(answer.headers.get('X-Request-Id'))
      const [, secret = ''] = token.split('.')
      if (secret.length > 8) expect(JSON.stringify(body)).not.toContain(secret)
      return body.requests?.[0]
    }

    it('an expired token is logged with the tenant, as expired', async () => {
      const { tenantId, token } = await connect(storeOf(), { expiresAt: time })
      expect(await rejected(`Bearer ${token}`, tenantId)).toMatchObject({
        tenantId,
        tokenId: token.split('.')[0],
        rejection: 'expired',
        // The client is not told the reason.
        detail: 'a valid bearer token is required',
      })
    })

    it("another tenant's rejected token is logged with the token's tenant, and not with the path's", async () => {
      const sendTo = async (tenantId: string, token: string) => {
        const url = `http://localhost/scim/tenants/${tenantId}/v2/Users`
        const headers = { Authorization: `Bearer ${token}` }
        const response = await client.directory.fetch(new Request(url, { headers }))
        return [response.status, await response.json()]
      }
      const target = await connect(storeOf(), { provisioning: log, now })
      const answer = await sendTo(target.tenantId, other.token)
      // The answer is the same for a token and for a tenant that do not exist.
      expect(answer).toMatchObject([401, { detail: 'a valid bearer token is required' }])
      expect(await sendTo('missing', other.token)).toEqual(answer)
      expect(await sendTo(target.tenantId, 'a.b')).toEqual(answer)
      const tokenId = other.token.split('.')[0]
      const entry = { tenantId: other.tenantId, tokenId, status: 401, rejection: 'other-tenant' }
      expect(await requestsOf({ tenantId: other.tenantId, count: '2' })).toMatchObject([
        entry,
        entry,
      ])
      expect(await requestsOf({ tenantId: target.tenantId })).toEqual([])
    })

    it.each([
      ['missing', ''],
      ['missing', 'Basic YTpi'],
      ['unknown', 'Bearer a.b'],
      ['unknown', `Bearer ${'a'.repeat(501)}`],
    ])('a rejected token is logged without a tenant, as %s: %j', async (rejection, token) => {
      const entry = { tenantId: null, tokenId: null, status: 401 }
      expect(await rejected(token)).toMatchObject({ ...entry, rejection })
    })

    it('a revoked token is logged with the tenant, as revoked', async () => {
      const { tenantId } = client
      const created = await client.send('POST', '/api/tokens', { tenantId, name: 'old' })
      expect((await client.send('DELETE', `/api/tokens/${created.body.id}`)).status).toBe(204)
      expect(await rejected(`Bearer ${created.body.token}`, tenantId)).toMatchObject({
        tenantId,
        tokenId: created.body.id,
        rejection: 'revoked',
      })
      expect(await rejected(`Bearer ${created.body.id}.guess`)).toMatchObject({
        tenantId: null,
        tokenId: null,
        rejection: 'unknown',
      })
    })
  })

  describe('a search', () => {
    let searched: Client
    let ids: readonly string[]
    const START = Date.parse('2026-11-22T13:00:00Z')
    const statusesOf = async (query: Record<string, string>) =>
      ((await requestsOf({ tenantId: searched.tenantId, ...query })) ?? []).map(
        ({ operation, status }) => `${operation} ${status}`,
      )
    beforeAll(async () => {
      searched = await connect(storeOf(), { provisioning: log, now, profile: 'entra' })
      const send = async (method: string, path: string, body?: object) => {
        time += 60_000
        const answer = await searched.send(method, path, body)
        await log.flush()
        return answer
      }
      time = START
      const lookUp = `/Users?filter=${encodeURIComponent('userName eq "bjensen"')}`
      await send('GET', lookUp)
      const created = await send('POST', '/Users', { userName: 'BJensen' })
      const second = await send('POST', '/Users', { userName: 'second' })
      ids = [String(created.body.id), String(second.body.id)]
      await send('POST', '/Users', { userName: 'bjensen' })
      await send('GET', `/Users/${ids[0]}`)
      await send('PATCH', `/Users/${ids[0]}`, { schemas: [PATCH_OP], Operations: 7 })
      await send('DELETE', `/Users/${ids[0]}`)
      await send('DELETE', `/Users/${ids[0]}`)
    })
    const OF_USER = ['delete 404', 'delete 204', 'patch 400', 'read 200', 'create 201']

    it("a search by a user's id returns the requests with this user", async () => {
      expect(await statusesOf({ user: String(ids[0]) })).toEqual(OF_USER)
      expect(await statusesOf({ user: String(ids[1]) })).toEqual(['create 201'])
      expect(await statusesOf({ user: 'nobody' })).toEqual([])
    })

    it('a search by userName in any letter case also returns look-ups, conflicts and deletions', async () => {
      const named = [...OF_USER.slice(0, 4), 'create 409', 'create 201', 'list 200']
      expect(await statusesOf({ user: 'BJENSEN' })).toEqual(named)
    })

    it.each([
      ['2xx', ['delete 204', 'read 200', 'create 201', 'create 201', 'list 200']],
      ['4xx', ['delete 404', 'patch 400', 'create 409']],
      ['5xx', []],
      ['errors', ['delete 404', 'patch 400', 'create 409']],
    ])('a search by status class, %s, returns these requests', async (status, expected) => {
      expect(await statusesOf({ status })).toEqual(expected)
    })

    it('a search by time returns the requests from the first time, and before the second', async () => {
      const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString()
      expect(await statusesOf({ from: at(2), to: at(4) })).toEqual(['create 201', 'create 201'])
      expect(await statusesOf({ to: at(2) })).toEqual(['list 200'])
      expect(await statusesOf({ from: at(8) })).toEqual(['delete 404'])
      expect(await statusesOf({ from: at(9) })).toEqual([])
      expect(await statusesOf({ from: at(4), status: 'errors', user: 'bjensen' })).toEqual([
        'delete 404',
        'patch 400',
        'create 409',
      ])
    })

    it('a search returns each request on one page, while others are added', async () => {
      const seen: string[] = []
      let cursor: string | undefined
      for (let page = 0; page < 10; page += 1) {
        const query = {
          tenantId: searched.tenantId,
          count: '3',
          to: new Date(time + 1).toISOString(),
        }
        const { body } = await list(cursor === undefined ? query : { ...query, cursor })
        expect(body.requests).not.toEqual([])
        seen.push(...(body.requests ?? []).map(({ number }) => String(number)))
        cursor = body.nextCursor === undefined ? undefined : String(body.nextCursor)
        if (cursor === undefined) break
        time += 1
        await searched.send('GET', '/Users')
      }
      expect(seen).toHaveLength(8)
      expect(new Set(seen).size).toBe(8)
    })

    it('a search does not have a next page if the requests fill a page', async () => {
      const to = new Date(START + 8 * 60_000 + 1).toISOString()
      const wanted = { tenantId: searched.tenantId, to }
      const { body } = await list({ ...wanted, count: '8' })
      expect(body.requests).toHaveLength(8)
      expect(body).not.toHaveProperty('nextCursor')
      expect((await list({ ...wanted, count: '7' })).body).toHaveProperty('nextCursor')
    })

    it("a search does not return other tenants' requests", async () => {
      await other.send('GET', `/Users/${ids[1]}`)
      expect(await statusesOf({ user: String(ids[1]) })).toEqual(['create 201'])
      const [entry] = (await requestsOf({ tenantId: other.tenantId })) ?? []
      const path = `/api/requests/${entry?.number}?tenantId=${searched.tenantId}`
      expect((await client.send('GET', path)).status).toBe(404)
    })
  })

  describe('a search by request id', () => {
    let traced: Client
    let own: string
    beforeAll(async () => {
      traced = await connect(storeOf(), { provisioning: log, now })
      own = (await traced.send('GET', '/Users/by-id')).headers.get('X-Request-Id') ?? ''
      for (const id of ['of.client', 'of.client', 'ofXclient', 'OF.client', 'of.client2']) {
        time += 600_000
        await traced.send('GET', '/Users/by-id', undefined, { 'X-Request-Id': id })
      }
    })
    const found = async (query: Record<string, string>) =>
      ((await requestsOf({ tenantId: traced.tenantId, ...query })) ?? []).map(
        ({ requestId }) => requestId,
      )

    it('a search by request id returns the requests whose answers have exactly this id', async () => {
      expect(await found({ requestId: own })).toEqual([own])
      expect(await found({ requestId: 'of.client' })).toEqual(['of.client', 'of.client'])
      expect(await found({ requestId: 'of.' })).toEqual([])
      expect(await found({ requestId: own, tenantId: other.tenantId })).toEqual([])
    })

    it('a search by request id respects the user, the status, the time and the page', async () => {
      expect(await found({ requestId: own, user: 'by-id', status: 'errors' })).toEqual([own])
      expect(await found({ requestId: own, user: 'nobody' })).toEqual([])
      expect(await found({ requestId: own, status: '2xx' })).toEqual([])
      const at = new Date(time - 100_000).toISOString()
      expect(await found({ requestId: own, from: at })).toEqual([])
      expect(await found({ requestId: own, to: at })).toEqual([own])
      const query = { tenantId: traced.tenantId, requestId: 'of.client', count: '1' }
      const { nextCursor } = (await list(query)).body
      expect(await found({ ...query, cursor: String(nextCursor) })).toEqual(['of.client'])
    })

    it('a search by request id compares the newest requests within the time and the page', async () => {
      const { tenantId } = traced
      const find = async (query: Partial<RequestQuery>) => {
        const wanted = { tenantId, requestId: 'of.client', count: 10, ...query }
        return await storeOf().read((db) => findRequests(db, wanted))
      }
      await log.flush()
      const [second] = await find({})
      // Three requests are newer than the second one with the id.
      expect(await find({ compared: 3 })).toEqual([])
      expect(await find({ compared: 4 })).toEqual([second])
      expect(await find({ compared: 5 })).toHaveLength(2)
      expect(await find({ compared: 1, before: Number(second?.id) + 1 })).toEqual([second])
      expect(await find({ compared: 1, to: Number(second?.time) + 1 })).toEqual([second])
    })

    it.each(['', 'a b', 'ä', 'a'.repeat(65)])(
      'a search by request id rejects %j, which is not an id',
      async (id) => {
        const query = new URLSearchParams({ requestId: id })
        expect((await client.send('GET', `/api/requests?${query}`)).status).toBe(422)
      },
    )
  })

  describe('retention', () => {
    it("the log keeps each tenant's newest rows, and a tenth more at most", async () => {
      const small = createProvisioningLog({ store: storeOf(), now, days: 30, rows: 20 })
      const busy = await connect(storeOf(), { provisioning: small, now })
      const quiet = await connect(storeOf(), { provisioning: small, now })
      await quiet.send('GET', '/Users/first')
      for (let count = 0; count < 50; count += 1) {
        await busy.send('GET', `/Users/${count}`)
        await small.flush()
        const kept = (await requestsOf({ tenantId: busy.tenantId })) ?? []
        expect(kept.length).toBeLessThanOrEqual(22)
        expect(kept[0]?.resourceId).toBe(String(count))
        if (count >= 20) expect(kept.length).toBeGreaterThanOrEqual(20)
      }
      expect(await requestsOf({ tenantId: quiet.tenantId })).toHaveLength(1)
      await small.close()
    })

    it("the log keeps each tenant's newest bytes, and a tenth more at most", async () => {
      const bytes = 200_000
      const small = createProvisioningLog({ store: storeOf(), now, days: 30, rows: 1_000, bytes })
      const busy = await connect(storeOf(), { provisioning: small, now })
      const body = { title: 7, emails: Array(15).fill('☃'.repeat(300)) }
      const kept: number[] = []
      for (let count = 0; count < 40; count += 1) {
        await busy.send('POST', '/Users', body)
        await small.flush()
        kept.push((await requestsOf({ tenantId: busy.tenantId }))?.length ?? 0)
      }
      // A request needs about 14 kB.
      expect(kept.slice(0, 14)).toEqual(Array.from({ length: 14 }, (_, at) => at + 1))
      expect(Math.max(...kept)).toBeLessThanOrEqual(16)
      expect(Math.min(...kept.slice(14))).toBeGreaterThanOrEqual(13)
      await small.close()
    })

    it('the log keeps as many rows while several processes delete them', async () => {
      const logOf = () => createProvisioningLog({ store: storeOf(), now, days: 30, rows: 20 })
      const logs = [logOf(), logOf(), logOf()]
      const { tenantId } = await connect(storeOf())
      const clients = await Promise.all(
        logs.map((provisioning) => connect(storeOf(), { provisioning, now, tenantId })),
      )
      for (let count = 0; count < 30; count += 1) {
        await Promise.all(clients.map(({ send }) => send('GET', `/Users/${count}`)))
        await Promise.all(logs.map(({ flush }) => flush()))
      }
      // The count of each process starts at its first row.
      const rest = (await requestsOf({ tenantId, count: '100' })) ?? []
      expect(rest.length).toBeGreaterThanOrEqual(20)
      expect(rest.length).toBeLessThanOrEqual(28)
      expect(rest[0]?.resourceId).toBe('29')
      for (const { close } of logs) await close()
    })

    it('requests older than the limit are deleted, also in tenants without new ones', async () => {
      const old = await connect(storeOf(), { provisioning: log, now })
      await old.send('GET', '/Users')
      expect(await requestsOf({ tenantId: old.tenantId })).toHaveLength(1)
      time += 31 * 86_400_000
      await client.send('GET', '/Users')
      expect(await requestsOf({ tenantId: old.tenantId })).toEqual([])
      expect(await requestsOf()).toHaveLength(1)
    })
  })
}

const SCHEMAS: Readonly<Record<string, string>> = {
  bulk: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patch: PATCH_OP,
  replace: 'urn:ietf:params:scim:schemas:core:2.0:User',
  create: 'urn:ietf:params:scim:schemas:core:2.0:Group',
}
