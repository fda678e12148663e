import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { DEFAULT_TENANT } from '../../../src/kernel/access/tenant-store.ts'
import { createToken, revokeToken } from '../../../src/kernel/access/token-store.ts'
import { createClientLimits } from '../../../src/kernel/rate-limit/client-limits.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import type { LogEntry } from '../../../src/shell/observe/request-log.ts'
import { type Browser, createBrowser, openConsole, signIn } from '../../support/console-client.ts'

let store: Store
let browser: Browser
beforeAll(async () => {
  store = await openSqlite(':memory:')
  await store.write((db) =>
    createTenant(db, { id: DEFAULT_TENANT, name: 'Default', created_at: 0 }),
  )
  browser = await openConsole(store)
})
afterAll(() => store.close())

/** The pages that do not need more than a tenant. */
const PAGES = ['/console/tenants', '/console/tenants/default', '/console/about']

describe('a page', () => {
  it.each([...PAGES, '/console/sign-in', '/console/nowhere', '/', '/console'])(
    'the page %s cannot run foreign scripts, be framed or be cached',
    async (path) => {
      const { headers } = await browser.open(path, { Accept: 'text/html' })
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'x-request-id': expect.any(String),
      })
    },
  )

  it.each(PAGES)('the page %s has a title, one h1, landmarks and a skip link', async (path) => {
    const { status, headers, text } = await browser.open(path)
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(text.match(/<h1>/g)).toHaveLength(1)
    expect(text).toMatch(/<html lang="en">[\s\S]*<title>.+ · Plumbline Directory<\/title>/)
    expect(text).toMatch(
      /<a class="skip" href="#main">[\s\S]*<header[\s\S]*<nav[\s\S]*<main id="main"/,
    )
    expect(text).not.toMatch(/<script>|<style|\sstyle=|\son\w+=|javascript:/)
  })

  it.each(PAGES)('the page %s is the same for HEAD, without a body', async (path) => {
    const headers = { Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') }
    const request = new Request(`http://localhost${path}`, { method: 'HEAD', headers })
    const response = await browser.directory.fetch(request)
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it.each(PAGES)(
    'the page %s requires a session, and is opened after the sign-in',
    async (path) => {
      const visitor = createBrowser(store, { token: 'root-token-of-16' })
      const answer = await visitor.open(`${path}?a=1`)
      expect(answer.status).toBe(303)
      const location = answer.headers.get('Location') ?? ''
      expect(location).toBe(`/console/sign-in?next=${encodeURIComponent(`${path}?a=1`)}`)
      const next =
        /name="next" value="([^"]+)"/.exec((await visitor.open(location)).text)?.[1] ?? ''
      const signedIn = await visitor.post('/console/sign-in', { token: 'root-token-of-16', next })
      expect(signedIn.headers.get('Location')).toBe(`${path}?a=1`)
    },
  )

  it('a posted page requires a session, and the start page is opened after the sign-in', async () => {
    const answer = await createBrowser(store).post('/console/tenants?a=1', {})
    const { searchParams } = new URL(answer.headers.get('Location') ?? '', 'http://localhost')
    expect([answer.status, searchParams.get('next')]).toEqual([303, '/console'])
  })

  it('a page linked on another site is opened again, because the cookie was not sent', async () => {
    const visitor = createBrowser(store)
    const answer = await visitor.open('/console/about', { 'Sec-Fetch-Site': 'cross-site' })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<meta http-equiv="refresh" content="0">')
    expect(answer.text).not.toContain('About')
  })

  it.each([
    ['PUT', '/console/tenants', 405, 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/console/about', 405, 'GET, HEAD, OPTIONS'],
    ['POST', '/', 405, 'GET, HEAD, OPTIONS'],
    ['GET', '/console/sign-out', 405, 'POST, OPTIONS'],
    ['HEAD', '/console/sign-out', 405, 'POST, OPTIONS'],
    ['OPTIONS', '/console/tenants', 204, 'GET, HEAD, POST, OPTIONS'],
    ['OPTIONS', '/', 204, 'GET, HEAD, OPTIONS'],
  ])(
    'a page answers %s %s with %i and the methods (RFC 9110 §9.3.7, §15.5.6)',
    async (method, path, status, allow) => {
      const headers = { Origin: 'http://localhost' }
      const request = new Request(`http://localhost${path}`, { method, headers })
      const response = await browser.directory.fetch(request)
      expect([response.status, response.headers.get('Allow')]).toEqual([status, allow])
    },
  )

  it.each(['/', '/console/sign-in'])(
    'the public page %s is the same for HEAD, without a session',
    async (path) => {
      const [page, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) =>
          browser.directory.fetch(new Request(`http://localhost${path}`, { method })),
        ),
      )
      expect([head?.status, head?.body]).toEqual([page?.status, null])
      expect(head?.headers.get('Content-Type')).toBe(page?.headers.get('Content-Type'))
    },
  )

  it('a page opens the sign-in if the session ends while it is made', async () => {
    let isEnding = false
    const signedIn: Browser = await openConsole(store, {
      apiMiddleware: async (_, next) => {
        if (isEnding) await signedIn.post('/console/sign-out', {})
        return await next()
      },
    })
    await signedIn.open('/console/tenants')
    isEnding = true
    const { status, headers } = await signedIn.open('/console/tenants')
    expect([status, headers.get('Location')]).toEqual([303, '/console/sign-in'])
  })
})

describe('after the sign-in', () => {
  it.each([
    ['https://evil.example/console'],
    ['//evil.example/console'],
    ['/\\evil.example/console'],
    ['javascript:alert(1)'],
    ['/api/tenants'],
    ['/console/../api/tenants'],
    ['/consolex'],
    [''],
  ])('the browser does not leave the console: %s', async (next) => {
    const visitor = createBrowser(store, { token: 'root-token-of-16' })
    const answer = await visitor.post('/console/sign-in', { token: 'root-token-of-16', next })
    expect(answer.headers.get('Location')).toBe('/console')
    const { text } = await visitor.open(`/console/sign-in?next=${encodeURIComponent(next)}`)
    expect(text).toContain('name="next" value="/console"')
  })
})

describe('a token that does not sign in', () => {
  const make = async (options: {
    readonly role: 'admin' | 'client'
    readonly expiresAt?: number
  }) =>
    await store.write((db) =>
      createToken(db, {
        name: 'a',
        profile: 'standard',
        now: Date.now(),
        ...options,
        tenantId: options.role === 'admin' ? null : DEFAULT_TENANT,
      }),
    )

  it.each([
    ['an empty token', async () => ''],
    ['an unknown token', async () => 'unknown.token'],
    ['a long text', async () => 'x'.repeat(10_000)],
    ['the token of a client', async () => (await make({ role: 'client' })).text],
    ['an expired token', async () => (await make({ role: 'admin', expiresAt: 1 })).text],
    [
      'a revoked token',
      async () => {
        const { row, text } = await make({ role: 'admin' })
        await store.write((db) => revokeToken(db, store.dialect, row.id, Date.now()))
        return text
      },
    ],
  ])('%s does not sign in', async (_, tokenOf) => {
    const token = await tokenOf()
    const answer = await signIn(createBrowser(store), token)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('Set-Cookie')).toBeNull()
    expect(answer.text).toContain('aria-invalid="true"')
    if (token !== '') expect(answer.text).not.toContain(token)
  })

  it('a rejected sign-in is answered with 429 while many attempts fail', async () => {
    const visitor = createBrowser(store)
    const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(visitor, 'wrong')))
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(5)
    expect(limited[0]?.headers.get('Retry-After')).toBe('5')
    expect((await signIn(visitor, 'wrong')).status).toBe(401)
  })

  it('failing sign-ins do not delay or reject an administrator, however many are tried', async () => {
    const directory = createBrowser(store, { token: 'root-token-of-16' })
    const guesses = Array.from({ length: 60 }, (_, at) => signIn(directory, `guess.${at}`))
    const { text } = await make({ role: 'admin' })
    for (const token of [text, 'root-token-of-16']) {
      expect((await signIn(directory, token)).status).toBe(303)
    }
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  })
})

// A guess takes half a second, and the tests share only the store.
describe.concurrent('an address with many unknown tokens at the sign-in', () => {
  const root = 'root-token-of-16'
  /** A console behind a proxy, and the status of a sign-in from an address. */
  async function limited() {
    const clock = { time: 0 }
    const limits = createClientLimits({
      requests: { perSecond: 100, burst: 100 },
      proxies: 1,
      isBehindProxy: true,
      now: () => clock.time,
    })
    const visitor = createBrowser(store, { token: root, limits })
    const from = (address: string, token: string) =>
      visitor.post('/console/sign-in', { token }, { 'X-Forwarded-For': address })
    const guess = async (tokenOf: (at: number) => string) => {
      const statuses: number[] = []
      for (const round of [0, 1, 2, 3]) {
        const sent = Array.from({ length: 16 }, (_, at) => tokenOf(round * 16 + at))
        const answers = await Promise.all(sent.map((token) => from('192.0.2.1', token)))
        statuses.push(...answers.map(({ status }) => status))
      }
      return statuses
    }
    return { visitor, clock, from, guess }
  }

  it('the address gets the form with 429 and Retry-After, until time has passed', async () => {
    const { visitor, clock, from, guess } = await limited()
    expect(new Set(await guess((at) => `guess.${at}`))).toEqual(new Set([401]))
    const answer = await from('192.0.2.1', root)
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '5'])
    expect(answer.text).toContain('name="token"')
    expect(answer.text).toContain('Try again in 5 seconds.')
    // The guesses of the SCIM endpoint and of the management API count together with them.
    const headers = { 'X-Forwarded-For': '192.0.2.1', Authorization: 'Bearer a.guess' }
    expect((await visitor.open('/scim/v2/Users', headers)).status).toBe(429)
    expect((await from('192.0.2.2', root)).status).toBe(303)
    clock.time += 5_000
    expect((await from('192.0.2.1', root)).status).toBe(303)
  })

  it.each<[string, (texts: readonly string[], at: number) => string]>([
    ['leave the token empty', () => ''],
    ['repeat one token', () => 'mistyped'],
    ['send revoked tokens', (texts, at) => texts[at] ?? ''],
  ])('the address may %s', async (_, tokenOf) => {
    const { from, guess } = await limited()
    const revoked = await store.write(async (db) => {
      const texts: string[] = []
      for (let at = 0; at < 64; at += 1) {
        const { row, text } = await createToken(db, { ...ADMINISTRATOR, now: Date.now() })
        await revokeToken(db, store.dialect, row.id, Date.now())
        texts.push(text)
      }
      return texts
    })
    expect(new Set(await guess((at) => tokenOf(revoked, at)))).toEqual(new Set([401]))
    expect((await from('192.0.2.1', root)).status).toBe(303)
  })

  it('the address still signs in with a token this process has accepted before', async () => {
    const { from, guess } = await limited()
    const { text } = await store.write((db) =>
      createToken(db, { ...ADMINISTRATOR, now: Date.now() }),
    )
    expect((await from('192.0.2.1', text)).status).toBe(303)
    await guess((at) => `guess.${at}`)
    expect((await from('192.0.2.1', 'one-more')).status).toBe(429)
    expect((await from('192.0.2.1', text)).status).toBe(303)
  })
})

const ADMINISTRATOR = {
  tenantId: null,
  name: 'a',
  role: 'admin',
  profile: 'standard',
} as const

it('the page About shows the server, the limits and how to examine it', async () => {
  const { text } = await browser.open('/console/about')
  expect(text).toContain('<dt>Database</dt><dd>SQLite</dd>')
  expect(text).toMatch(/Operations of a bulk request<\/th><td class="number">1,000</)
  expect(text).toContain('npm run doctor -- http://localhost/scim/v2 --token &lt;')
})

describe('an error page', () => {
  it('an error page names the request, and does not say what is at the path', async () => {
    const answer = await browser.open('/console/nowhere', { 'X-Request-Id': 'my-request' })
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('<code>my-request</code>')
  })

  it('an error page for a missing tenant is 404', async () => {
    const answer = await browser.open('/console/tenants/missing')
    expect([answer.status, answer.text.includes('Tenant missing')]).toEqual([404, true])
    // The menu shows the way back.
    expect(answer.text).toContain('<nav aria-label="Main">')
  })

  it.each(['/console/tenants', '/console/tenants/missing'])(
    'the log does not have an error for %s, which asks the API',
    async (path) => {
      const log: LogEntry[] = []
      const directory = createDirectory({ store, log: (entry) => log.push(entry) })
      const headers = { Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') }
      await directory.fetch(new Request(`http://localhost${path}`, { headers }))
      expect(log).toMatchObject([{ level: 'info' }])
      expect(log[0]).not.toHaveProperty('error')
    },
  )

  it('an error page says that the database does not answer', async () => {
    const log: LogEntry[] = []
    const away: Store = { ...store, read: () => Promise.reject(new StoreUnavailableError('gone')) }
    const directory = createDirectory({ store: away, log: (entry) => log.push(entry) })
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { Cookie: cookie }
    const request = new Request('http://localhost/console/tenants', { headers })
    const response = await directory.fetch(request)
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5'])
    expect(await response.text()).toContain('The database does not answer')
    expect(log).toMatchObject([{ level: 'error', status: 503, route: '/console/tenants' }])
  })

  it('an error page for a bug does not show the error, and the log has it', async () => {
    const log: LogEntry[] = []
    const broken: Store = { ...store, read: () => Promise.reject(new RangeError('secret detail')) }
    const directory = createDirectory({ store: broken, log: (entry) => log.push(entry) })
    const headers = { Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') }
    const request = new Request('http://localhost/console/tenants', { headers })
    const response = await directory.fetch(request)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret detail')
    expect(log).toMatchObject([{ level: 'error', error: expect.stringContaining('RangeError') }])
  })
})

it('the log has the route pattern, and neither the query nor the token', async () => {
  const log: LogEntry[] = []
  const logged = await openConsole(store, { log: (entry) => log.push(entry) })
  await logged.open('/console/tenants/default?filter=secret-value')
  await logged.open('/')
  const [started, opened, ...others] = log
  expect(started).toMatchObject({ method: 'POST', route: '/console/sign-in', status: 303 })
  expect(opened).toMatchObject({ method: 'GET', route: '/console/tenants/:tenantId', status: 200 })
  expect([started?.tokenId, opened?.tokenId]).toEqual([expect.any(String), started?.tokenId])
  expect(others).toMatchObject([{ method: 'GET', route: '/', status: 200 }])
  expect(JSON.stringify(log)).not.toContain('secret-value')
})

const SCRIPT = 'text/javascript; charset=utf-8'

describe('the files on the pages', () => {
  const assets = async () => {
    const { text } = await browser.open('/console/tenants')
    return [...text.matchAll(/(?:href|src)="(\/console\/assets\/[^"#]+)["#]/g)].map(
      ([, path]) => path ?? '',
    )
  }

  it('the files are cached for a year, because the names change with the content', async () => {
    for (const path of await assets()) {
      const { status, headers } = await createBrowser(store).open(path)
      expect([status, headers.get('Cache-Control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
      const tag = headers.get('ETag') ?? ''
      expect(path).toContain(tag.slice(1, -1))
      const same = await browser.open(path, { 'If-None-Match': tag })
      expect([same.status, same.headers.get('ETag'), same.text]).toEqual([304, tag, ''])
    }
  })

  it('the files have the media types for their names', async () => {
    const paths = await assets()
    expect(paths).not.toEqual([])
    for (const path of paths) {
      const { headers } = await browser.open(path)
      const type = { css: 'text/css; charset=utf-8', svg: 'image/svg+xml', js: SCRIPT }
      expect(headers.get('Content-Type')).toBe(Object(type)[path.split('.').at(-1) ?? ''])
    }
  })

  it.each([
    'console.css',
    'console.0000000000000000.css',
    '..%2Froutes.ts',
    '__proto__',
    'constructor',
  ])('the file %s does not exist', async (name) => {
    expect((await browser.open(`/console/assets/${name}`)).status).toBe(404)
  })
})

describe('/', () => {
  it('/ shows a person where everything is', async () => {
    const { status, text } = await createBrowser(store).open('/', { Accept: 'text/html,*/*;q=0.8' })
    expect(status).toBe(200)
    expect(text).toContain('href="/console"')
    expect(text).toContain('http://localhost/scim/v2')
    expect(text).toContain('href="/openapi.json"')
  })

  it('/ shows the same to a program as JSON', async () => {
    const { headers, text } = await createBrowser(store).open('/')
    expect(headers.get('Vary')).toBe('Accept')
    expect(JSON.parse(text)).toEqual({
      console: 'http://localhost/console',
      scim: 'http://localhost/scim/v2',
      document: 'http://localhost/openapi.json',
    })
  })
})
