import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect, sender } from '../../support/harness.ts'

const MIB = 2 ** 20

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

/** Requests all users, and does not read the response. */
const ask = async ({ directory, token }: Client, method = 'GET'): Promise<Response> =>
  await directory.fetch(
    new Request('http://localhost/scim/v2/Users?count=1000', {
      method,
      headers: { Authorization: `Bearer ${token}` },
    }),
  )

it('a tenant not reading responses is answered with 503, and other tenants are served', async () => {
  const slow = await connect(store)
  const other = sender(slow.directory, (await connect(store)).token)
  for (let at = 0; at < 16; at += 1) {
    const user = { userName: `user-${at}`, locale: 'x'.repeat(MIB - 2_000) }
    expect((await slow.send('POST', '/Users', user)).status).toBe(201)
  }
  const answers: Response[] = []
  for (let at = 0; at < 10; at += 1) answers.push(await ask(slow))
  const served = answers.filter(({ status }) => status === 200)
  expect(served.length).toBeLessThan(5)
  expect(answers.at(-1)?.status).toBe(503)
  const large = { userName: 'large', locale: 'x'.repeat(MIB - 2_000) }
  expect((await other('POST', '/Users', large)).status).toBe(201)
  expect((await other('GET', '/Users')).status).toBe(200)
  const [first, ...rest] = served
  expect(JSON.parse((await first?.text()) ?? '')).toMatchObject({ totalResults: 16 })
  expect((await ask(slow, 'HEAD')).status).toBe(200)
  for (const one of rest) await one.body?.cancel()
  expect((await slow.send('GET', '/Users?count=1000')).status).toBe(200)
})
