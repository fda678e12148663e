import { sql } from '@plumbline/scim/internal'
import { expect, it, onTestFinished } from 'vitest'
import { prepare } from '../../src/commands/seed/bootstrap.ts'
import { DEMO_USER_NAME } from '../../src/commands/seed/demo-person.ts'
import { DEFAULT_TENANT } from '../../src/kernel/access/tenant-store.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

/** The first start on an empty database; `create` creates one, and returns a function that opens it. */
export function firstStartContract(create: () => Promise<() => Promise<Store>>): void {
  const START = { token: null, hasDemo: true }
  const created = async () => {
    const open = await create()
    return async () => {
      const store = await open()
      onTestFinished(() => store.close())
      return store
    }
  }
  const clientOf = (store: Store) => connect(store, { tenantId: DEFAULT_TENANT })
  const usersOf = async ({ send }: Client) => (await send('GET', '/Users')).body.Resources ?? []

  it('the first start creates a token and a demo person, whose title says so', async () => {
    const store = await (await created())()
    expect(await prepare(store, START, Date.now())).toEqual(expect.any(String))
    expect(await usersOf(await clientOf(store))).toMatchObject([
      { userName: DEMO_USER_NAME, title: expect.stringMatching(/^Demo person .+ Delete it /) },
    ])
  })

  it('a demo person deleted through a client is not created again', async () => {
    const store = await (await created())()
    await prepare(store, START, Date.now())
    const client = await clientOf(store)
    const [person] = await usersOf(client)
    expect((await client.send('DELETE', `/Users/${person?.id}`)).status).toBe(204)
    expect(await prepare(store, START, Date.now())).toBeNull()
    expect(await usersOf(client)).toEqual([])
  })

  it('a demo person is not created again after the tenant was deleted', async () => {
    const store = await (await created())()
    await prepare(store, { token: 'set', hasDemo: true }, Date.now())
    await store.write(async (db) => {
      await db.exec(sql`delete from users`)
      await db.exec(sql`delete from tenants`)
    })
    await prepare(store, START, Date.now())
    expect(await usersOf(await clientOf(store))).toEqual([])
  })

  it('a demo person is not created in an existing database', async () => {
    const store = await (await created())()
    await prepare(store, { token: null }, Date.now())
    expect(await prepare(store, START, Date.now())).toBeNull()
    expect(await usersOf(await clientOf(store))).toEqual([])
  })
}
