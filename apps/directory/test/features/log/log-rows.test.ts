import { ScimError, USER_SCHEMA } from '@plumbline/scim'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AnsweredRequest, rowOf } from '../../../src/features/log/entry.ts'
import { createProvisioningLog } from '../../../src/features/log/provisioning-log.ts'
import { RESOURCE_TYPES } from '../../../src/kernel/resources/resource-types.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'

const ID = '0195f0e0-0000-7000-8000-000000000000'

const USERS = 'http://localhost/scim/v2/Users'
const ANSWERED: AnsweredRequest = {
  request: new Request(USERS),
  target: '/Users',
  requestId: 'r',
  time: 1,
  milliseconds: 2,
  tenantId: 'acme',
  tokenId: 't',
  types: RESOURCE_TYPES,
  rejection: null,
  pattern: '/scim/v2/Users',
  fault: null,
  route: '/Users',
  resourceId: null,
  userName: null,
  status: 200,
  error: null,
  body: undefined,
  ignored: [],
}

/** The row of a request, with its JSON parsed. */
function parsed(other: Partial<AnsweredRequest>, init: RequestInit = {}, url = USERS) {
  const answered = { ...ANSWERED, request: new Request(url, init), ...other }
  const { entry, exchange, ...row } = rowOf(answered)
  return { ...row, entry: JSON.parse(entry), exchange: exchange && JSON.parse(exchange) }
}

const POST = { method: 'POST' }
const encoded = encodeURIComponent

describe("a request's row", () => {
  it("a row has the request's facts, the request id first", () => {
    const facts = { resourceId: ID, userName: 'Anna' }
    expect(parsed({ ...facts, target: '/Users?count=1' }, POST)).toEqual({
      tenantId: 'acme',
      time: 1,
      status: 200,
      resourceId: ID,
      userNameKey: 'anna',
      entry: {
        requestId: 'r',
        tokenId: 't',
        method: 'POST',
        path: '/Users?count=1',
        operation: 'create',
        resourceType: 'User',
        userName: 'Anna',
        scimType: null,
        detail: null,
        rejection: null,
        milliseconds: 2,
      },
      exchange: null,
    })
    const answered = { ...facts, requestId: 'first' }
    expect(JSON.stringify(parsed(answered).entry)).toMatch(/^\{"requestId":"first",/)
  })

  it("a row has a PATCH's ignored attributes, without sensitive values", () => {
    const token = `${ID}.${'x'.repeat(43)}`
    const long = `${'a'.repeat(120)}${token}`
    const many = Array.from({ length: 40 }, (_, at) => `x${at}`)
    expect(parsed({ ignored: [] }).entry).not.toHaveProperty('ignored')
    const sent = ['emails.valu', 'pin=1234', `a ${token}`, long.slice(0, 199), long]
    const { ignored } = parsed({ ignored: [...sent, ...many] }).entry
    expect(ignored.slice(0, 4)).toEqual(['emails.valu', 'pin[***]', 'a[***]', '***'])
    expect(ignored).toHaveLength(20)
  })

  it("a row has a rejection's tenant and token, and an empty tenant without one", () => {
    const nobody = { tenantId: null, tokenId: null }
    const rejection = { reason: 'expired', tenantId: 'other', tokenId: 'old' } as const
    const row = parsed({ ...nobody, rejection })
    expect([row.tenantId, row.entry.tokenId, row.entry.rejection]).toEqual([
      'other',
      'old',
      'expired',
    ])
    const known = parsed({ rejection })
    expect([known.tenantId, known.entry.tokenId]).toEqual(['acme', 't'])
    const unknown = parsed(nobody)
    expect([unknown.tenantId, unknown.entry.tokenId]).toEqual(['', null])
  })

  it("a bulk request's row does not have a resource", () => {
    const row = parsed({ route: '/Bulk', resourceId: ID, userName: 'anna' }, POST)
    expect([row.resourceId, row.userNameKey, row.entry.userName]).toEqual([null, null, null])
  })

  it.each([
    ['GET', ID, null],
    ['HEAD', ID, null],
    ['GET', null, 'anna'],
    ['POST', ID, 'anna'],
    ['DELETE', ID, 'anna'],
  ])(
    'a row is found by the userName, except a read, which is found by the resource: %s %j',
    (method, resourceId, userNameKey) => {
      const row = parsed({ resourceId, userName: 'Anna' }, { method })
      expect([row.userNameKey, row.entry.userName]).toEqual([userNameKey, 'Anna'])
    },
  )

  it.each([
    ['an empty string', '', null],
    ['U+0000', 'a\0', null],
    ['a lone surrogate', 'a\ud800', null],
    ['a long string', `urn:${'a'.repeat(247)}`, `urn:${'a'.repeat(246)}`],
    ['a long string that ends inside of a character', `urn:${'a'.repeat(245)}😀`, null],
  ])('a row is found by a key a database can store: %s', (_, text, key) => {
    const row = parsed({ resourceId: text, userName: text }, POST)
    expect([row.resourceId, row.userNameKey]).toEqual([key, key])
  })

  it('a row is not found by what may be a secret', () => {
    const token = `${ID}.${'x'.repeat(43)}`
    const row = parsed(
      { resourceId: 'x'.repeat(41), userName: token, target: `/Users/${token}` },
      POST,
    )
    expect([row.resourceId, row.userNameKey, row.entry.path]).toEqual([null, null, '/Users/***'])
  })

  it.each([
    ['GET', '/Users', 'list', 'User'],
    ['POST', '/Groups', 'create', 'Group'],
    ['PUT', '/Users', 'unknown', 'User'],
    ['GET', '/Users/:id', 'read', 'User'],
    ['HEAD', '/Users/:id', 'read', 'User'],
    ['PUT', '/Users/:id', 'replace', 'User'],
    ['PATCH', '/Groups/:id', 'patch', 'Group'],
    ['DELETE', '/Users/:id', 'delete', 'User'],
    ['POST', '/Users/:id', 'unknown', 'User'],
    ['GET', '/Me', 'read', null],
    ['PATCH', '/Me', 'patch', null],
    ['POST', '/Users/.search', 'search', 'User'],
    ['POST', '/.search', 'search', null],
    ['POST', '/Bulk', 'bulk', null],
    ['GET', '/Schemas/:id', 'discover', null],
    ['POST', '/scim/oauth/token', 'token', null],
    ['GET', null, 'unknown', null],
  ])(
    'a row for the request %s %j has the operation %s and the type %j',
    (method, route, operation, resourceType) => {
      expect(parsed({ route }, { method }).entry).toMatchObject({ operation, resourceType })
    },
  )

  it("a row has a method's first 20 characters, and a path's first 2,000", () => {
    const { entry } = parsed({ target: '/x'.repeat(3_000) }, { method: 'M'.repeat(30) })
    expect([entry.method, entry.path]).toEqual(['M'.repeat(20), '/x'.repeat(1_000)])
  })

  it.each([
    [null, `/a/${'x'.repeat(41)}/b`, '/a/***/b'],
    [null, `/a/${'x'.repeat(40)}`, `/a/${'x'.repeat(40)}`],
    ['/Users/:id', `/Users/${'x'.repeat(41)}`, '/Users/***'],
    ['/Users/:id', `/Users/${ID}`, `/Users/${ID}`],
    ['/Schemas/:id', `/Schemas/${USER_SCHEMA}`, `/Schemas/${USER_SCHEMA}`],
    ['/Schemas/:id', `/Schemas/${encoded(USER_SCHEMA)}`, `/Schemas/${encoded(USER_SCHEMA)}`],
    ['/Users', '/Users?password=hunter2&count=1', '/Users?password=***&count=1'],
    ['/Users', '/Users?', '/Users?'],
    [null, `/${'x'.repeat(41)}?token=${'y'.repeat(41)}`, '/***?token=***'],
  ])(
    'a row for the route %j has the path %s without what may be a secret',
    (route, target, path) => {
      expect(parsed({ route, target }).entry.path).toBe(path)
    },
  )
})

describe("a rejected request's exchange", () => {
  const error = new ScimError(400, 'wrong', { scimType: 'invalidValue' })

  it('an exchange has the body and the answer', () => {
    const headers = { 'Content-Type': 'application/scim+json', 'If-Match': 'W/"1"', Cookie: 'a=b' }
    const body = { userName: 'anna', password: 'hunter2' }
    expect(parsed({ status: 400, error, body }, { method: 'PUT', headers }).exchange).toEqual({
      headers: { 'Content-Type': 'application/scim+json', 'If-Match': 'W/"1"' },
      body: { userName: 'anna', password: '***' },
      isCut: false,
      answer: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '400',
        scimType: 'invalidValue',
        detail: 'wrong',
      },
    })
  })

  it('an exchange without a body and an error has neither', () => {
    const { entry, exchange } = parsed({ status: 499 })
    expect(exchange).toEqual({ headers: {}, isCut: false, answer: null })
    expect([entry.detail, entry.scimType]).toEqual([null, null])
  })

  it('an exchange does not have a scimType missing in the answer', () => {
    const { exchange } = parsed({ status: 404, error: new ScimError(404, 'user not found') })
    expect(exchange.answer).not.toHaveProperty('scimType')
  })

  it('an exchange exists from 400 on', () => {
    expect([parsed({ status: 399 }).exchange, parsed({ status: 400 }).exchange]).toEqual([
      null,
      { headers: {}, isCut: false, answer: null },
    ])
  })

  it('an exchange has the headers an answer may depend on, and their first 200 characters', () => {
    const headers = {
      'User-Agent': 'u'.repeat(300),
      Accept: 'a',
      'If-None-Match': 'b',
      Authorization: 'c',
    }
    expect(parsed({ status: 400 }, { headers }).exchange.headers).toEqual({
      'User-Agent': 'u'.repeat(200),
      Accept: 'a',
      'If-None-Match': 'b',
    })
  })

  it('an exchange does not have a token in a header', () => {
    const headers = { 'User-Agent': 'agent (token=hunter2)', Accept: 'a; charset=utf-8' }
    expect(parsed({ status: 400 }, { headers }).exchange.headers).toEqual({
      'User-Agent': '***',
      Accept: 'a; charset=utf-8',
    })
  })

  it.each([
    ['strings', { a: Array(480).fill('é'.repeat(1_000)) }],
    ['three-byte characters', { a: Array(490).fill('☃'.repeat(700)) }],
    [
      'names',
      Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`☃`.repeat(600 + at), 1])),
    ],
    ['escaped characters', { a: Array(480).fill('\u0001"'.repeat(500)) }],
    ['secrets', Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`token${at}`, 'x']))],
  ])('an exchange is about 30 kB with the row at most, also with many %s', (_, body) => {
    const long = new ScimError(400, '☃'.repeat(9_000))
    const headers = { 'User-Agent': 'é'.repeat(9_000), Accept: 'é'.repeat(9_000) }
    const request = new Request(USERS, { method: 'POST', headers })
    const target = `/Users?x=${'y'.repeat(9_000)}`
    const row = rowOf({ ...ANSWERED, request, target, status: 400, error: long, body })
    expect(Buffer.byteLength(`${row.entry}${row.exchange}`)).toBeLessThan(36_000)
    expect(JSON.parse(row.exchange ?? '').isCut).toBe(true)
  })

  it('an exchange with a large body says that it is cut', () => {
    const body = { title: 'x'.repeat(1_001), emails: [] }
    const { exchange } = parsed({ status: 400, error, body })
    expect([exchange.isCut, exchange.body.title]).toEqual([true, `${'x'.repeat(1_000)}…`])
    const many = parsed({ status: 400, error, body: Array(501).fill(1) })
    expect([many.exchange.isCut, many.exchange.body.length]).toEqual([true, 500])
  })
})

describe("a rejected request's detail", () => {
  const HIDDEN = 'hidden, because the message may quote a sensitive value'
  const detailOf = (message: string, body: unknown, query = '') => {
    const error = new ScimError(400, message)
    const target = `/Users${query}`
    const { entry, exchange } = parsed({ status: 400, error, body, target })
    expect(exchange.answer.detail).toBe(entry.detail)
    return entry.detail
  }

  it.each([
    ['a secret', 'the value Hunter2 is wrong', { password: 'hunter2' }],
    ['the start of a secret', 'the value hunt… is wrong', { password: 'hunter2' }],
    ['a secret as JSON', 'the value \\u0001a is wrong', { password: '\u0001ab' }],
    ['a part of a masked filter', 'wrong at x', { filter: 'password eq "x"' }],
  ])('a detail is hidden if it may quote %s', (_, message, body) => {
    expect(detailOf(message, body)).toBe(HIDDEN)
  })

  it('a detail is hidden if a path part may be a secret', () => {
    expect(detailOf('not found', undefined, `/${'x'.repeat(41)}`)).toBe(HIDDEN)
    expect(detailOf('not found', undefined, `/${'x'.repeat(40)}`)).toBe('not found')
  })

  it('a detail is shown if only the credentials were rejected', () => {
    const error = new ScimError(401, 'a valid bearer token is required')
    const target = '/Users?filter=userName+eq+%22x%22'
    expect(parsed({ status: 401, error, types: null, target }).entry).toMatchObject({
      detail: error.message,
      path: '/Users?filter=userName%20eq%20%22***%22',
    })
  })

  it('a detail is hidden if the query has a sensitive value', () => {
    expect(detailOf('wrong at x', undefined, '?filter=password+eq+%22x%22')).toBe(HIDDEN)
    expect(detailOf('wrong at x', undefined, '?filter=title+eq+%22x%22')).toBe('wrong at x')
  })

  it.each([
    ['another value', 'the userName is wrong', { password: 'hunter2' }],
    ['a body without secrets', 'hunter2 is wrong', { title: 'hunter2' }],
    ['no body', 'wrong', undefined],
  ])('a detail is shown with %s', (_, message, body) => {
    expect(detailOf(message, body)).toBe(message)
  })

  it('a detail has 2,000 characters at most', () => {
    expect(detailOf('x'.repeat(2_001), undefined)).toBe('x'.repeat(2_000))
  })
})

describe('a provisioning log', () => {
  const openLog = async () => {
    const store = await openSqlite(':memory:')
    const log = createProvisioningLog({ store, now: () => 1, days: 30, rows: 100 })
    onTestFinished(async () => {
      await log.close()
      await store.close()
    })
    return log
  }

  it('the log counts requests: waiting, stored soon, and dropped', async () => {
    const log = await openLog()
    expect(log.counts()).toEqual({ waiting: 0, stored: 0, dropped: 0 })
    log.add(ANSWERED)
    log.add({ ...ANSWERED, tenantId: null })
    expect(log.counts()).toEqual({ waiting: 2, stored: 0, dropped: 0 })
    await expect.poll(log.counts).toEqual({ waiting: 0, stored: 2, dropped: 0 })
    await log.close()
    log.add(ANSWERED)
    expect(log.counts()).toEqual({ waiting: 0, stored: 2, dropped: 1 })
  })

  it('the log drops a request whose facts cannot be read, and does not throw', async () => {
    const log = await openLog()
    const request = Object.create(null, {
      method: {
        get: () => {
          throw new RangeError('a bug')
        },
      },
    })
    log.add({ ...ANSWERED, request })
    expect(log.counts()).toEqual({ waiting: 0, stored: 0, dropped: 1 })
  })
})
