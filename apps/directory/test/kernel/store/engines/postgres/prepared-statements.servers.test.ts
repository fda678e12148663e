import { plannedForValues, raw, sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../../../src/kernel/store/database.ts'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import type { Store } from '../../../../../src/kernel/store/store.ts'
import { createFreshDatabase, type FreshDatabase } from '../../../../support/fresh-postgres.ts'

let database: FreshDatabase
let store: Store
beforeAll(async () => {
  database = await createFreshDatabase()
  store = await openPostgres(database.url, { connections: 1, scanConnections: 1 })
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

/** The names of the prepared statements of a connection whose text contains a mark. */
async function namesOf(db: Database, mark: string): Promise<readonly unknown[]> {
  const { rows } = await db.exec(
    sql`select name from pg_prepared_statements where statement like '%' || ${mark} || '%' order by 1`,
  )
  return rows.map((row) => Object(row).name)
}

const run = (db: Database, text: string) => db.exec(raw(text))

it('a short statement is planned once for each connection, under one name', async () => {
  const names = await store.read(async (db) => {
    await run(db, 'select 1 as mark_short')
    await run(db, 'select 1 as mark_short')
    await run(db, 'select 2 as mark_short')
    return await namesOf(db, 'mark_short')
  })
  expect(names).toHaveLength(2)
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name).toMatch(/^directory_[\da-f]{32}$/)
})

it.each([
  ['a long statement', `select 1 as mark_long /* ${'x'.repeat(1_000)} */`, 'mark_long', 0],
  ['a statement of 1,000 characters', `select 1 as mark_1000`.padEnd(1_000), 'mark_1000', 1],
  ['a statement of 1,001 characters', `select 1 as mark_1001`.padEnd(1_001), 'mark_1001', 0],
  // Its plan would fail after a migration that adds a column.
  ['a statement for all columns', 'select * from (select 1 as mark_all) one', 'mark_all', 0],
])('only short statements with named columns get a name: %s', async (_, text, mark, count) => {
  const names = await store.read(async (db) => {
    await run(db, text)
    return await namesOf(db, mark)
  })
  expect(names).toHaveLength(count)
})

it("a statement's name follows from the text, also in another process that ran others before", async () => {
  const other = await openPostgres(database.url, { connections: 1 })
  const nameOf = async (db: Database) => {
    await run(db, 'select 1 as mark_same')
    return await namesOf(db, 'as mark_same')
  }
  const names = await store.read(nameOf)
  await other.read((db) => run(db, 'select 2 as mark_other'))
  expect(names).toHaveLength(1)
  expect(await other.read(nameOf)).toEqual(names)
  await other.close()
})

it('a statement planned for its values does not get a name', async () => {
  const names = await store.read(async (db) => {
    await db.exec(plannedForValues(sql`select 1 as mark_values`))
    return await namesOf(db, 'mark_values')
  })
  expect(names).toEqual([])
})

it('only the first 500 statements get a name', async () => {
  const names = await store.read(async (db) => {
    for (let at = 0; at < 510; at += 1) await run(db, `select ${at} as mark_many`)
    return await namesOf(db, '')
  })
  expect(names).toHaveLength(500)
})

it('scans run on their own connections, one after another on a single one', async () => {
  const pid = async (db: Database) => {
    const { rows = [] } = await db.exec(sql`select pg_backend_pid() as pid`)
    return Object(rows[0]).pid
  }
  const scans = await Promise.all([store.scan(pid), store.scan(pid), store.scan(pid)])
  expect(new Set(scans).size).toBe(1)
  expect(await store.read(pid)).not.toBe(scans[0])
})
