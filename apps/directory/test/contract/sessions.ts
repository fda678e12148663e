import { sql } from '@plumbline/scim/internal'
import { expect, it } from 'vitest'
import { createToken, revokeToken } from '../../src/kernel/access/token-store.ts'
import { HOUR, MINUTE } from '../../src/kernel/durations.ts'
import { readRows } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Browser, createBrowser, signIn } from '../support/console-client.ts'

const START = Date.parse('2026-11-22T12:00:00Z')
/** Every 50 minutes, until 7 hours and 30 minutes. */
const OFTEN = Array.from({ length: 9 }, (_, at) => (at + 1) * 50 * MINUTE)

/** The sessions of the console on every store. */
export function sessionContract(storeOf: () => Store): void {
  const administrator = async (expiresAt: number | null = null) =>
    await storeOf().write((db) =>
      createToken(db, {
        tenantId: null,
        name: 'a',
        role: 'admin',
        profile: 'standard',
        now: START,
        expiresAt,
      }),
    )
  /** A browser that has signed in, and a clock to move. */
  const start = async (expiresAt: number | null = null) => {
    const clock = { time: START }
    const browser = createBrowser(storeOf(), { now: () => clock.time })
    const token = await administrator(expiresAt)
    expect((await signIn(browser, token.text)).status).toBe(303)
    return { browser, clock, token }
  }

  const lastUse = async (tokenId: string): Promise<number | undefined> => {
    const [row] = await storeOf().read((db) =>
      readRows<{ readonly used_at: number }>(
        db,
        sql`select used_at from sessions where token_id = ${tokenId}`,
      ),
    )
    return row?.used_at
  }

  it.each([
    ['after 59 minutes', [59 * MINUTE], true],
    ['after an hour without a page', [HOUR], false],
    ['if pages are opened', [50 * MINUTE, 100 * MINUTE, 150 * MINUTE], true],
    ['until 8 hours', [...OFTEN, 8 * HOUR - 1], true],
    ['after 8 hours', [...OFTEN, 8 * HOUR], false],
  ])('a session %s: %j is valid %j', async (_, times, isValid) => {
    const { browser, clock, token } = await start()
    const found: boolean[] = []
    for (const time of times) {
      clock.time = START + time
      const isValid = await isSignedIn(browser)
      found.push(isValid)
      // The answer does not wait until the use is stored.
      if (isValid) await expect.poll(() => lastUse(token.row.id)).toBe(clock.time)
    }
    expect(found.at(-1)).toBe(isValid)
    expect(found.slice(0, -1)).not.toContain(false)
  })

  it('a session ends when the token is revoked, also for another process', async () => {
    const { browser, token } = await start()
    const other = await copyOf(browser, storeOf())
    const { dialect } = storeOf()
    await storeOf().write((db) => revokeToken(db, dialect, token.row.id, START))
    expect(await isSignedIn(browser)).toBe(false)
    expect(await isSignedIn(other)).toBe(false)
  })

  it('a session ends when the token expires', async () => {
    const { browser, clock } = await start(START + MINUTE)
    clock.time = START + MINUTE - 1
    expect(await isSignedIn(browser)).toBe(true)
    clock.time = START + MINUTE
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('a session ends when the administrator signs out, also for a stolen cookie', async () => {
    const { browser } = await start()
    const thief = await copyOf(browser, storeOf())
    expect(await isSignedIn(thief)).toBe(true)
    expect((await browser.post('/console/sign-out', {})).status).toBe(303)
    expect(browser.cookies.size).toBe(0)
    expect(await isSignedIn(thief)).toBe(false)
  })

  it.each([
    ['the same', 'root-token-of-16', true],
    ['another', 'other-token-of-16', false],
    ['no', null, false],
  ])(
    'a DIRECTORY_TOKEN session is valid only as long as its token: %s value later',
    async (_, later, isValid) => {
      const now = () => START
      const first = createBrowser(storeOf(), { token: 'root-token-of-16', now })
      expect((await signIn(first, 'root-token-of-16')).status).toBe(303)
      const second = createBrowser(storeOf(), { token: later, now })
      for (const [name, value] of first.cookies) second.cookies.set(name, value)
      expect(await isSignedIn(second)).toBe(isValid)
    },
  )

  it("neither the cookie's secret nor the token is stored", async () => {
    const { browser, token } = await start()
    const [secret = ''] = browser.cookies.values()
    const rows = await storeOf().read((db) => readRows<object>(db, sql`select * from sessions`))
    expect(secret).toHaveLength(43)
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain(token.text.split('.')[1])
  })

  it('expired sessions are deleted when a new one is created', async () => {
    const { clock, token } = await start()
    const countOf = async () =>
      (
        await storeOf().read((db) =>
          readRows<object>(db, sql`select hash from sessions where token_id = ${token.row.id}`),
        )
      ).length
    expect(await countOf()).toBe(1)
    clock.time = START + HOUR
    const later = createBrowser(storeOf(), { now: () => clock.time })
    await signIn(later, token.text)
    expect(await countOf()).toBe(1)
  })

  it("a second sign-in ends the browser's first session", async () => {
    const { browser, token } = await start()
    const old = await copyOf(browser, storeOf())
    await signIn(browser, token.text)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await isSignedIn(old)).toBe(false)
  })
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  const { status } = await browser.open('/console/about')
  expect([200, 303]).toContain(status)
  return status === 200
}

/** Another process, and a browser with the same cookies. */
async function copyOf(browser: Browser, store: Store): Promise<Browser> {
  const copy = createBrowser(store, { now: () => START })
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}
