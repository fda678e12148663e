import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToken } from '../../../src/kernel/access/token-store.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Browser, createBrowser, openConsole, signIn } from '../../support/console-client.ts'

let store: Store
let browser: Browser
beforeAll(async () => {
  store = await openSqlite(':memory:')
  browser = await openConsole(store)
})
afterAll(() => store.close())

const HERE = 'http://localhost'

/** The headers of a request that a browser sends from a page, and whether the page is of this origin. */
const SENDERS: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
  ['this origin', { Origin: HERE, 'Sec-Fetch-Site': 'same-origin' }, true],
  ['this origin, in an old browser', { Origin: HERE }, true],
  ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }, false],
  ['another site, in an old browser', { Origin: 'https://evil.example' }, false],
  [
    'another host of the domain',
    { Origin: 'http://x.localhost', 'Sec-Fetch-Site': 'same-site' },
    false,
  ],
  ['another port', { Origin: 'http://localhost:8080', 'Sec-Fetch-Site': 'same-site' }, false],
  ['HTTPS', { Origin: 'https://localhost', 'Sec-Fetch-Site': 'cross-site' }, false],
  ['a file or a frame in a sandbox', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, false],
  ['a frame in a sandbox, in an old browser', { Origin: 'null' }, false],
  ['a prefix of this origin', { Origin: 'http://localhos' }, false],
  ['a host that starts like this one', { Origin: 'http://localhost.evil.example' }, false],
  ['an origin that lies about itself', { Origin: HERE, 'Sec-Fetch-Site': 'cross-site' }, false],
]

describe('a console form', () => {
  it.each(SENDERS)(
    'a console form from %s is accepted or rejected',
    async (_, headers, isAccepted) => {
      const id = `t-${crypto.randomUUID()}`
      const answer = await postAs(headers, { id, name: 'T' })
      expect(answer.status).toBe(isAccepted ? 303 : 403)
      expect(await tenants()).toContain(isAccepted ? id : 'default')
      expect((await tenants()).includes(id)).toBe(isAccepted)
    },
  )

  it("a console form without a browser's headers is rejected", async () => {
    const answer = await postAs({}, { id: 'bare', name: 'T' })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('The form was sent by an unknown origin')
    expect(await tenants()).not.toContain('bare')
  })

  it.each([
    ['missing', ''],
    ['wrong', 'x'.repeat(43)],
    ['of another session', null],
  ])('a console form whose token is %s is rejected', async (_, token) => {
    const foreign = token ?? (await formToken(await openConsole(store)))
    const sent = { _token: foreign, id: 'no-token', name: 'T' }
    const answer = await browser.post('/console/tenants', sent)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('another session')
    expect(await tenants()).not.toContain('no-token')
  })

  it.each([
    ['multipart/form-data; boundary=x', '--x--'],
    ['text/plain', 'id=a'],
    ['application/json', '{}'],
  ])('a console form with the media type %s is rejected', async (type, body) => {
    const headers = { Origin: HERE, 'Content-Type': type, Cookie: cookies() }
    const request = new Request(`${HERE}/console/tenants`, { method: 'POST', headers, body })
    expect((await browser.directory.fetch(request)).status).toBe(413)
  })

  it('a console form larger than 1 MiB is rejected', async () => {
    const answer = await browser.post('/console/tenants', { id: 'big', name: 'x'.repeat(2 ** 20) })
    expect(answer.status).toBe(413)
  })

  it('a sign-in form from another site is rejected, so no one is signed in as someone else', async () => {
    const answer = await createBrowser(store, { token: 'root-token-of-16' }).post(
      '/console/sign-in',
      { token: 'root-token-of-16' },
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    )
    expect(answer.status).toBe(403)
    expect(answer.headers.get('Set-Cookie')).toBeNull()
  })

  it('a console form from an origin outside PUBLIC_URL is rejected with a hint', async () => {
    const proxied = createBrowser(store, { publicOrigin: 'https://directory.example.com' })
    const answer = await proxied.post(
      '/console/sign-in',
      { token: 'x' },
      { Origin: 'http://directory:3000', 'Sec-Fetch-Site': 'cross-site' },
    )
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('PUBLIC_URL')
    expect(answer.text).toContain('http://directory:3000')
  })
})

describe('a request to the management API with the cookie', () => {
  it.each(SENDERS)(
    'a changing request from %s is accepted or rejected',
    async (_, headers, isAccepted) => {
      const id = `t-${crypto.randomUUID()}`
      const answer = await sendToApi('POST', headers, { id, name: 'T' })
      expect(answer.status).toBe(isAccepted ? 201 : 403)
      expect((await tenants()).includes(id)).toBe(isAccepted)
    },
  )

  it("a changing request without a browser's headers is rejected", async () => {
    expect((await sendToApi('POST', {}, { id: 'bare', name: 'T' })).status).toBe(403)
  })

  it.each([
    ...SENDERS,
    ['the address bar', { 'Sec-Fetch-Site': 'none' }, true] as const,
    ['a program', {}, true] as const,
  ])('a reading request from %s is accepted or rejected', async (_, headers, isAccepted) => {
    expect((await sendToApi('GET', headers)).status).toBe(isAccepted ? 200 : 403)
  })

  it.each([
    ['unknown', 'plumbline-session=unknown'],
    ['well-formed and unknown', `plumbline-session=${'x'.repeat(43)}`],
    ['repeated', null],
    ['of the https origin', null],
  ])('a request whose cookie is %s is answered 401', async (name, cookie) => {
    const own = cookies()
    const sent = cookie ?? (name === 'repeated' ? `${own}; ${own}` : `__Host-${own}`)
    const headers = { Cookie: sent, Origin: HERE, 'Sec-Fetch-Site': 'same-origin' }
    expect((await sendToApi('GET', headers)).status).toBe(401)
  })

  it('an answer does not have headers that let another origin read it', async () => {
    const { headers } = await sendToApi('GET', { Origin: 'https://evil.example' })
    const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect(names).toEqual([])
  })
})

it('the cookie for an https origin has the prefix __Host- and is Secure', async () => {
  const origin = 'https://directory.example.com'
  const secure = createBrowser(store, { origin, publicOrigin: origin, token: 'root-token-of-16' })
  const answer = await signIn(secure, 'root-token-of-16')
  expect(answer.headers.get('Set-Cookie')).toMatch(
    /^__Host-plumbline-session=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
  )
  expect((await secure.open('/console/about')).status).toBe(200)
  // A cookie without the prefix can be set by another host of the domain.
  const [value = ''] = secure.cookies.values()
  const headers = { Cookie: `plumbline-session=${value}` }
  expect((await secure.open('/console/about', headers)).status).toBe(303)
  expect((await secure.open('/api/tenants', headers)).status).toBe(401)
})

it('the cookie for an http origin is HttpOnly and SameSite=Strict', async () => {
  const plain = createBrowser(store, { token: 'root-token-of-16' })
  const answer = await signIn(plain, 'root-token-of-16')
  expect(answer.headers.get('Set-Cookie')).toMatch(
    /^plumbline-session=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
  )
})

describe('an administrator with a read-only token', () => {
  it('a read-only administrator sees the pages without their forms, and cannot post them', async () => {
    const { text: token } = await store.write((db) =>
      createToken(db, {
        tenantId: null,
        name: 'reader',
        role: 'admin',
        profile: 'standard',
        access: 'read',
        now: Date.now(),
      }),
    )
    const reader = createBrowser(store)
    await signIn(reader, token)
    const page = await reader.open('/console/tenants')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Create tenant: your token may only read.')
    expect(page.text).not.toContain('action="/console/tenants"')
    const posted = await reader.post('/console/tenants', { id: 'by-reader', name: 'T' })
    expect(posted.status).toBe(403)
    expect(posted.text).toContain('This token may only read')
    expect(await tenants()).not.toContain('by-reader')
    expect((await reader.post('/console/sign-out', {})).status).toBe(303)
  })
})

it('the live requests end when the session ends', async () => {
  const watcher = await openConsole(store)
  const headers = { Cookie: [...watcher.cookies].map((pair) => pair.join('=')).join('; ') }
  const request = new Request(`${HERE}/api/requests/live`, { headers })
  const response = await watcher.directory.fetch(request)
  expect(response.status).toBe(200)
  await watcher.post('/console/sign-out', {})
  // Resolves only when the server ends the stream.
  expect(await response.text()).toContain('retry:')
})

it('the SCIM endpoint does not accept the cookie', async () => {
  const headers = { Origin: HERE, 'Sec-Fetch-Site': 'same-origin' }
  expect((await browser.open('/scim/v2/Users', headers)).status).toBe(401)
})

const cookies = (): string => [...browser.cookies].map((pair) => pair.join('=')).join('; ')

async function formToken(signedIn: Browser): Promise<string> {
  const { text } = await signedIn.open('/console/tenants')
  return /name="_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

/** Posts the form to create a tenant with exactly these headers. */
async function postAs(
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
) {
  const body = new URLSearchParams({ _token: await formToken(browser), ...fields })
  const init = { method: 'POST', headers: { ...headers, Cookie: cookies() }, body }
  return await browser.directory.fetch(new Request(`${HERE}/console/tenants`, init))
}

async function sendToApi(
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: Readonly<Record<string, string>>,
) {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const init = { method, headers: { Cookie: cookies(), ...json, ...headers } }
  const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
  return await browser.directory.fetch(new Request(`${HERE}/api/tenants`, sent))
}

async function tenants(): Promise<readonly string[]> {
  const { text } = await browser.open('/api/tenants')
  const { tenants: found }: { readonly tenants: readonly { readonly id: string }[] } =
    JSON.parse(text)
  return ['default', ...found.map(({ id }) => id)]
}
