import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import { type Store, StoreUnavailableError } from '../../../../../src/kernel/store/store.ts'
import { type Forwarder, startForwarder } from '../../../../support/forwarder.ts'

/** A way to PostgreSQL that can drop all data without closing its connections. */
let way: Forwarder
let store: Store
beforeAll(async () => {
  const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
  if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
  way = await startForwarder(url)
  store = await openPostgres(way.url, { connections: 2, answerTimeout: 200 })
})
afterAll(async () => {
  await store?.close()
  way.close()
})

it('a store call fails while the database does not answer, and works again when it does', async () => {
  const one = () => store.read((db) => db.exec(sql`select 1 as one`))
  const write = () => store.write((db) => db.exec(sql`select 1 as one`))
  const works = { rows: [{ one: 1 }] }
  expect(await Promise.all([one(), write()])).toMatchObject([works, works])
  way.isSilent = true
  const ends = await Promise.allSettled([one(), write(), one(), write()])
  for (const end of ends) {
    expect(end).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
  }
  way.isSilent = false
  expect(await Promise.all([one(), write(), one(), write()])).toMatchObject(Array(4).fill(works))
})
