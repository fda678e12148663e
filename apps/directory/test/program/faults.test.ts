import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { raw, sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../src/app.ts'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import type { LogEntry } from '../../src/shell/observe/request-log.ts'
import { createBrowser, signIn } from '../support/console-client.ts'
import { type Answer, type Client, connect, sender } from '../support/harness.ts'

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

let store: Store
let client: Client
let path: string
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store)
  const { body } = await client.send('POST', '/Users', { userName: 'anna' })
  path = `/Users/${body.id}`
})
afterAll(() => store.close())

/** Every endpoint that reads a body. */
const READING = [
  ['POST', '/Users'],
  ['PUT', '/Users/a'],
  ['PATCH', '/Users/a'],
  ['POST', '/Users/.search'],
  ['POST', '/Groups'],
  ['PUT', '/Groups/a'],
  ['PATCH', '/Groups/a'],
  ['POST', '/Groups/.search'],
  ['POST', '/.search'],
  ['POST', '/Bulk'],
] as const

describe('a body', () => {
  it.each(READING)(
    'a body that is not JSON is rejected with invalidSyntax: %s %s (RFC 7644 §3.12)',
    async (...at) => {
      for (const text of ['', ' ', '{', '{"a":}', "{'a':1}", '{}{}', 'userName=a', '<user/>']) {
        const answer = await client.send(...at, text)
        expect(answer).toMatchObject(scim(400, { scimType: 'invalidSyntax' }))
      }
    },
  )

  it.each(READING)('a body that is not an object is rejected: %s %s', async (...at) => {
    for (const text of ['null', 'true', '1', '"a"', '[]', '[{}]', '{}']) {
      expect(await client.send(...at, text)).toMatchObject(scim(400))
    }
  })

  it.each(READING)(
    'a body with another media type is answered with 415: %s %s (RFC 7644 §3.1)',
    async (...at) => {
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        expect(await client.send(...at, '{}', { 'Content-Type': type })).toMatchObject(scim(415))
      }
    },
  )

  it.each(READING)('a very deeply nested body is answered with 400: %s %s', async (...at) => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const deeper = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    for (const value of [deep, deeper]) {
      for (const text of [value, `{"schemas":${value}}`, `{"displayName":${value}}`]) {
        expect((await client.send(...at, text)).status).toBe(400)
      }
    }
  })
})

describe('__proto__', () => {
  it('__proto__ is an unknown attribute like any other in a body', async () => {
    const text = '{"userName":"p","__proto__":{"title":"x"},"constructor":{"prototype":{"a":1}}}'
    const { status, body } = await client.send('POST', '/Users', text)
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(['id', 'meta', 'schemas', 'userName'])
    const read = await client.send('GET', `/Users/${body.id}`)
    expect(read.body).toEqual(body)
    await client.send('DELETE', `/Users/${body.id}`)
  })

  it.each([
    { op: 'add', path: '__proto__', value: { title: 'x' } },
    { op: 'add', path: '__proto__.title', value: 'x' },
    { op: 'add', path: 'name.__proto__', value: { a: 1 } },
    { op: 'add', path: 'constructor.prototype.title', value: 'x' },
    { op: 'replace', path: 'emails[__proto__ pr].value', value: 'x' },
    { op: 'remove', path: '__proto__' },
    { op: 'add', value: JSON.parse('{"__proto__":{"title":"x"}}') },
  ])('__proto__ is rejected as a PATCH path: %j', async (operation) => {
    const body = { schemas: [PATCH_OP], Operations: [operation] }
    expect(await client.send('PATCH', path, body)).toMatchObject(scim(400))
  })

  it('__proto__ is an ordinary name in a query, in a path and in a bulk request', async () => {
    for (const query of [
      '__proto__=x',
      '__proto__[title]=x',
      'constructor=x',
      'count[]=__proto__',
    ]) {
      expect((await client.send('GET', `/Users?${query}`)).status).toBe(200)
    }
    for (const query of ['sortBy', 'attributes', 'excludedAttributes', 'filter', 'count']) {
      const answer = await client.send('GET', `/Users?${query}=__proto__`)
      expect(answer).toMatchObject(scim(400))
    }
    for (const name of ['__proto__', 'constructor', 'toString']) {
      for (const at of [
        `/${name}`,
        `/Users/${name}`,
        `/Schemas/${name}`,
        `/ResourceTypes/${name}`,
      ]) {
        expect(await client.send('GET', at)).toMatchObject(scim(404))
      }
    }
    const { status, body } = await client.send('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        { method: 'POST', path: '/Users', bulkId: '__proto__', data: { userName: 'q' } },
        { method: 'DELETE', path: '/Users/bulkId:__proto__' },
      ],
    })
    expect(status).toBe(200)
    expect((body.Operations ?? []).map((one) => one.status)).toEqual(['201', '204'])
  })

  it('__proto__ has not changed any prototype in this process', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('title' in {}).toBe(false)
  })
})

describe('a path', () => {
  it.each([
    '',
    '/',
    '/Nothing',
    '/users',
    '/Users/a/b',
    '/Users//a',
    '/Users/%',
    '/Users/%ff',
    '/Users/%E0%A4%A',
    '/Users/..%2f..%2fapi%2fhealth',
    '/Users/a%2fb',
    `/Users/${'a'.repeat(10_000)}`,
  ])('a missing path is answered with 404: %s (RFC 7644 §3.12)', async (at) => {
    expect(await client.send('GET', at)).toMatchObject(scim(404))
  })

  it('a missing path has a detail about the endpoint (RFC 7644 §3.12)', async () => {
    const { body } = await client.send('GET', '/Nothing')
    expect(body.detail).toContain('endpoint')
  })

  it.each([
    ['DELETE', '/Users', 'GET, HEAD, POST'],
    ['POST', '/Users/a', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['GET', '/Users/.search', 'POST'],
    ['GET', '/.search', 'POST'],
    ['GET', '/Bulk', 'POST'],
    ['POST', '/Me', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['PUT', '/ServiceProviderConfig', 'GET, HEAD'],
    ['PATCH', '/Schemas', 'GET, HEAD'],
    ['OPTIONS', '/Groups', 'GET, HEAD, POST'],
    ['QUERY', '/Groups', 'GET, HEAD, POST'],
    ['constructor', '/Groups', 'GET, HEAD, POST'],
  ])(
    'a path with an unsupported method is answered with 405 and the supported methods: %s %s',
    async (method, at, allow) => {
      const answer = await client.send(method, at)
      expect(answer).toMatchObject(scim(405))
      expect(answer.headers.get('Allow')).toBe(allow)
      expect(answer.body.detail).toContain(allow)
    },
  )

  it("a path keeps the query's trailing slash (RFC 3986 §3.4)", async () => {
    const users = await client.send('GET', '/Users?filter=userName eq "anna" or title eq "/?/')
    expect(users.body.detail).toContain('closing quote')
    expect((await client.send('GET', '/Users/?startIndex=1&x=/')).status).toBe(200)
    expect((await client.send('GET', '/Users?count=0/')).status).toBe(400)
  })
})

describe('a token', () => {
  it.each([
    ['none', ''],
    ['a scheme without a token', 'Bearer'],
    ['another scheme', 'Basic YTpi'],
    ['a wrong token', 'Bearer wrong'],
    ['a wrong token of the right form', `Bearer ${crypto.randomUUID()}.${'a'.repeat(43)}`],
    ['a very long token', `Bearer ${'a'.repeat(100_000)}`],
    ['two tokens', 'Bearer a, Bearer b'],
  ])(
    'an invalid token is answered with 401 in SCIM form: %s (RFC 7644 §2)',
    async (_, Authorization) => {
      for (const [method, at] of [...READING, ['GET', '/Users'], ['GET', '/Schemas']] as const) {
        const answer = await client.send(method, at, undefined, { Authorization })
        expect(answer).toMatchObject(scim(401))
        expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
      }
    },
  )

  it('a token is rejected if only its secret or only its id is right', async () => {
    const [id, secret] = client.token.split('.')
    for (const text of [id, `${id}.`, `.${secret}`, `${id}.${secret}a`, `${id}.${id}`, secret]) {
      const headers = { Authorization: `Bearer ${text}` }
      expect((await client.send('GET', '/Users', undefined, headers)).status).toBe(401)
    }
  })
})

describe('an unavailable database', () => {
  it('an unavailable database is answered with 503 in SCIM form until it is available again', async () => {
    let isAway = false
    const log: LogEntry[] = []
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const flaky: Store = {
      ...store,
      read: (work) => (isAway ? Promise.reject(away) : store.read(work)),
      scan: (work) => (isAway ? Promise.reject(away) : store.scan(work)),
      write: (work) => (isAway ? Promise.reject(away) : store.write(work)),
    }
    const directory = createDirectory({ store: flaky, log: (entry) => log.push(entry) })
    const send = sender(directory, client.token)
    const everything = async (): Promise<Answer[]> => [
      await send('GET', '/Users'),
      await send('GET', path),
      await send('GET', '/Groups'),
      await send('PUT', path, { userName: 'anna' }),
      await send('POST', '/.search', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      }),
    ]
    expect((await everything()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    isAway = true
    for (const answer of await everything()) {
      expect(answer).toMatchObject(scim(503))
      expect(answer.headers.get('Retry-After')).toBe('5')
    }
    const errors = log.filter(({ level }) => level === 'error')
    expect(errors.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect(errors[0]?.error).toContain('ECONNREFUSED')
    isAway = false
    expect((await everything()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })

  it('an unavailable database fails each remaining operation in a bulk request with 503', async () => {
    let writes = 0
    const dying: Store = {
      ...store,
      write: (work) => {
        writes += 1
        const away = Object.assign(new Error('gone'), { code: 'ECONNRESET' })
        return writes > 1 ? Promise.reject(away) : store.write(work)
      },
    }
    const log: LogEntry[] = []
    const directory = createDirectory({ store: dying, log: (entry) => log.push(entry) })
    // The token was used before, so the first write belongs to the first operation.
    const { body } = await sender(directory, client.token)('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: ['b1', 'b2', 'b3'].map((userName) => ({
        method: 'POST',
        path: '/Users',
        bulkId: userName,
        data: { userName },
      })),
    })
    expect((body.Operations ?? []).map(({ status }) => status)).toEqual(['201', '503', '503'])
    expect(log).toMatchObject([{ level: 'error', error: expect.stringContaining('ECONNRESET') }])
  })

  it('a database is answered with 503 while another process has it locked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'directory-'))
    const file = join(folder, 'directory.db')
    const locked = await openSqlite(file, { busyTimeout: 50 })
    const { send } = await connect(locked)
    expect((await send('GET', '/Users')).status).toBe(200)
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    expect(await send('POST', '/Users', { userName: 'a' })).toMatchObject(scim(503))
    expect((await send('GET', '/Users')).status).toBe(200)
    other.exec('rollback')
    expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(201)
    other.close()
    await locked.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a database that rejects writes', () => {
  it('a database with a full disk is answered with 503, until it has space again', async () => {
    const full = await openSqlite(':memory:')
    const log: LogEntry[] = []
    const client = await connect(full, { role: 'admin', log: (entry) => log.push(entry) })
    expect((await client.send('GET', '/Users')).status).toBe(200)
    const most = (pages: number) =>
      full.write((db) => db.exec(sql`pragma max_page_count = ${raw(String(pages))}`))
    const large = { title: 'x'.repeat(2_000), nickName: 'x'.repeat(2_000) }
    const fill = async (send: (at: number) => Promise<Answer>): Promise<Answer> => {
      for (let at = 0; ; at += 1) {
        const answer = await send(at)
        if (answer.status !== 201 || at > 1_000) return answer
      }
    }
    // SQLite keeps the pages that are already used.
    await most(1)
    const rejected = await fill((at) =>
      client.send('POST', '/Users', { userName: `full-${at}`, ...large }),
    )
    expect(rejected).toMatchObject(scim(503, { detail: 'the disk of the database is full' }))
    expect(rejected.headers.get('Retry-After')).toBe('5')
    // https://sqlite.org/rescode.html#full
    expect(log.at(-1)).toMatchObject({ status: 503, error: expect.stringContaining('Error 13') })
    const tenant = { name: 'x'.repeat(200) }
    const managed = await fill((at) =>
      client.send('POST', '/api/tenants', { id: `full-${at}`, ...tenant }),
    )
    expect(managed.status).toBe(503)
    expect((await client.send('GET', '/Users?count=1')).status).toBe(200)
    // An administrator who needs the console now signs in, also with the cookie of an earlier session.
    const administrator = createBrowser(full, { token: 'root-token-of-16' })
    for (let time = 0; time < 2; time += 1) {
      expect((await signIn(administrator, 'root-token-of-16')).status).toBe(303)
      expect((await administrator.open('/console/tenants')).status).toBe(200)
    }
    await most(1_000_000)
    expect((await administrator.open('/console/tenants')).status).toBe(200)
    expect((await signIn(administrator, 'root-token-of-16')).status).toBe(303)
    const later = { userName: 'later', ...large }
    expect((await client.send('POST', '/Users', later)).status).toBe(201)
    await full.close()
  })

  it("a read-only database still serves reads, although it cannot record a token's use", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'directory-'))
    const readOnly = await openSqlite(join(folder, 'directory.db'))
    const { send } = await connect(readOnly)
    await readOnly.write((db) => db.exec(sql`pragma query_only = on`))
    expect(await send('GET', '/Users')).toMatchObject({ status: 200, body: { totalResults: 0 } })
    expect(await send('POST', '/Users', { userName: 'a' })).toMatchObject(scim(503))
    await readOnly.close()
    rmSync(folder, { recursive: true })
  })
})

describe('an internal error', () => {
  it('an internal error is answered with 500 without details, and logged without the request body', async () => {
    const log: LogEntry[] = []
    const broken: Store = {
      ...store,
      read: async () => {
        throw new TypeError('select secret from tokens')
      },
    }
    const directory = createDirectory({ store: broken, log: (entry) => log.push(entry) })
    const answer = await sender(directory, client.token)('GET', '/Users')
    expect(answer).toMatchObject(scim(500))
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    expect(log).toMatchObject([{ level: 'error', status: 500, error: expect.any(String) }])
    expect(JSON.stringify(log)).not.toContain('secret')
  })
})

/** An error document (RFC 7644 §3.12). */
function scim(status: number, more: object = {}) {
  return { status, body: { schemas: [ERROR], status: String(status), ...more } }
}
