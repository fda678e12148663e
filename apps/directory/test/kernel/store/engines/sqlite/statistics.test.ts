import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from '@plumbline/scim/internal'
import { afterAll, expect, it } from 'vitest'
import { openSqlite } from '../../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../../../src/kernel/store/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
afterAll(() => rmSync(folder, { recursive: true }))

const statisticsOf = async (store: Store) => {
  const rows = await store.read((db) => db.exec(sql`select tbl, idx, stat from sqlite_stat1`))
  return rows.rows
}

it("a new database's planner has statistics for each index starting with the tenant", async () => {
  const store = await openSqlite(join(folder, 'new.db'))
  const found = await statisticsOf(store)
  const { rows } = await store.read((db) =>
    db.exec(sql`select i.name, t.name as tbl, t.wr, i.origin from pragma_table_list t, pragma_index_list(t.name) i,
      pragma_index_info(i.name) c where t.schema = 'main' and c.seqno = 0 and c.name = 'tenant_id'`),
  )
  // The primary key of a table without row ids is the table.
  const names = rows.map(({ name, tbl, wr, origin }) => (wr === 1 && origin === 'pk' ? tbl : name))
  expect(found.map(({ idx }) => idx).sort()).toEqual(names.sort())
  expect(found).toContainEqual({
    tbl: 'users',
    idx: 'users_by_external_id',
    stat: '1000000 10000 10 1',
  })
  await store.close()
})

it('the statistics analyze has collected are replaced at the next start', async () => {
  const path = join(folder, 'analyzed.db')
  const first = await openSqlite(path)
  const wanted = await statisticsOf(first)
  await first.write((db) =>
    db.exec(sql`insert into tenants (id, name, created_at) values ('acme', 'Acme', 0)`),
  )
  await first.write((db) => db.exec(sql`analyze`))
  expect(await statisticsOf(first)).not.toEqual(wanted)
  await first.close()
  const second = await openSqlite(path)
  expect(await statisticsOf(second)).toEqual(wanted)
  await second.close()
})

it('a start does not write statistics again if they are right', async () => {
  const path = join(folder, 'same.db')
  const first = await openSqlite(path)
  const observer = new DatabaseSync(path)
  const version = () => observer.prepare('pragma data_version').get()
  const before = version()
  await (await openSqlite(path)).close()
  expect(version()).toEqual(before)
  observer.close()
  await first.close()
})
