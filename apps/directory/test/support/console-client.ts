import { afterAll, expect } from 'vitest'
import { createDirectory, type Directory, type DirectoryOptions } from '../../src/app.ts'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import { createToken } from '../../src/kernel/access/token-store.ts'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect, recorder } from './harness.ts'

/** An answer of the console with its text. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A browser without a window: it keeps cookies, and posts the forms of its session. */
export interface Browser {
  readonly directory: Directory
  readonly cookies: Map<string, string>
  /** Opens a page, without following redirects. */
  open(path: string, headers?: HeadersInit): Promise<PageAnswer>
  /** Posts a form from a page of the console, with the token of the form. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: HeadersInit,
  ): Promise<PageAnswer>
  /** Posts a form of an action that cannot be reverted, and then the question's form. */
  confirm(path: string, fields?: Readonly<Record<string, string>>): Promise<PageAnswer>
}

/** The options of a console. */
export interface ConsoleTestOptions extends Partial<Omit<DirectoryOptions, 'store'>> {
  /** `http://localhost` by default. */
  readonly origin?: string
  /** The directory of another browser; a new one by default. */
  readonly directory?: Directory
}

/** Creates a directory and a browser that has signed in with a new administrator's token. */
export async function openConsole(
  store: Store,
  options: ConsoleTestOptions = {},
): Promise<Browser> {
  const browser = createBrowser(store, options)
  const created = await store.write((db) =>
    createToken(db, {
      tenantId: null,
      name: 'console',
      role: 'admin',
      profile: 'standard',
      now: (options.now ?? Date.now)(),
    }),
  )
  await signIn(browser, created.text)
  return browser
}

/** Signs in with a token. */
export async function signIn(browser: Browser, token: string): Promise<PageAnswer> {
  return await browser.post('/console/sign-in', { token })
}

/** Creates a directory and a browser that has not signed in. */
export function createBrowser(
  store: Store,
  { origin = 'http://localhost', directory: given, ...options }: ConsoleTestOptions = {},
): Browser {
  const directory =
    given ?? createDirectory({ store, apiMiddleware: recorder.middleware, ...options })
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit): Promise<PageAnswer> => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0 && !headers.has('Cookie')) {
      headers.set('Cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    }
    const response = await directory.fetch(new Request(`${origin}${path}`, { ...init, headers }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (cookie.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  let token = ''
  const open: Browser['open'] = async (path, headers = {}) => {
    const page = await send(path, { headers })
    token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? token
    return page
  }
  const post: Browser['post'] = async (path, fields, headers = {}) => {
    if (token === '' && cookies.size > 0) await open('/console/about')
    const body = new URLSearchParams({ _token: token, ...fields })
    return await send(path, {
      method: 'POST',
      body,
      headers: {
        Origin: origin,
        'Sec-Fetch-Site': 'same-origin',
        ...Object.fromEntries(new Headers(headers)),
      },
    })
  }
  const confirm: Browser['confirm'] = async (path, fields = {}) => {
    const asked = await post(path, fields)
    expect(asked).toMatchObject({
      status: 200,
      text: expect.stringContaining('name="confirmation"'),
    })
    const inputs = [...asked.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const sent = inputs.map(([, name = '', value = '']) => [name, value] as const)
    return await post(path, Object.fromEntries(sent))
  }
  return { directory, cookies, open, post, confirm }
}

/** Opens the console for the tests of a file, with a store, a tenant and the path of one of its pages. */
export async function openTenantConsole(page: string) {
  const store = await openSqlite(':memory:')
  afterAll(() => store.close())
  const client = await connect(store)
  const browser = await openConsole(store)
  return { store, client, browser, home: `/console/tenants/${client.tenantId}/${page}` }
}

/** Opens the console for the tests of a file, with a store and its provisioning log. */
export async function openLoggedConsole() {
  const store = await openSqlite(':memory:')
  const log = createProvisioningLog({ store, now: Date.now, days: 30, rows: 1_000 })
  afterAll(async () => {
    await log.close()
    await store.close()
  })
  return { store, log, browser: await openConsole(store, { provisioning: log }) }
}

/** Posts a form; returns the page that it opens, and the secret that this page shows once. */
export async function postForSecret(
  browser: Browser,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly href: string; readonly secret: string }> {
  const { status, headers } = await browser.post(path, fields)
  expect(status).toBe(303)
  const href = headers.get('Location') ?? ''
  const { text } = await browser.open(href)
  const secret = /id="secret" class="secret">([^<]+)</.exec(text)?.[1] ?? ''
  expect((await browser.open(href)).text).not.toContain(secret)
  return { href, secret }
}
