import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import type { Store } from '../../../../../src/kernel/store/store.ts'

let store: Store
beforeAll(async () => {
  const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
  if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
  store = await openPostgres(url, { connections: CONNECTIONS })
})
afterAll(() => store.close())

it("a hang-up stops only the client's own statement", async () => {
  const client = new AbortController()
  const left = store.read((db) => db.exec(sql`select pg_sleep(60)`), client)
  const stays = store.read((db) => db.exec(sql`select 1 as one from pg_sleep(0.5)`))
  setTimeout(() => client.abort(), 100)
  await expect(left).rejects.toThrow()
  expect(await stays).toMatchObject({ rows: [{ one: 1 }] })
})

it('a hang-up stops statements holding all connections, and returns the connections to the pool', async () => {
  for (let round = 0; round < 10; round += 1) {
    const clients = Array.from({ length: CONNECTIONS * 2 }, () => new AbortController())
    const left = clients.map(({ signal }) =>
      store.read((db) => db.exec(sql`select pg_sleep(60)`), { signal }),
    )
    // Some clients hang up before their transaction begins, some while it begins, and some while a statement runs.
    const at = round * 3
    clients.map((client, place) => setTimeout(() => client.abort(), at * (1 + (place % 3))))
    const ends = await Promise.allSettled(left)
    expect(ends.map(({ status }) => status)).toEqual(clients.map(() => 'rejected'))
  }
  const again = Array.from({ length: CONNECTIONS }, () => store.read((db) => db.exec(ONE)))
  expect(await Promise.all(again)).toMatchObject(again.map(() => ({ rows: [{ one: 1 }] })))
})

it('a read is not started if the client has hung up', async () => {
  let begun = false
  const read = store.read(
    async () => {
      begun = true
    },
    { signal: AbortSignal.abort() },
  )
  await expect(read).rejects.toThrow()
  expect(begun).toBe(false)
})

const CONNECTIONS = 2
const ONE = sql`select 1 as one`
