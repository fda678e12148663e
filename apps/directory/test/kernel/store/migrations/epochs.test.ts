import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw, sql } from '@plumbline/scim/internal'
import { expect, it, onTestFinished } from 'vitest'
import { readChanges } from '../../../../src/features/changes/read-changes.ts'
import { parseCursor } from '../../../../src/kernel/store/cursor.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'

it('an upgraded database has epochs, accepts cursors without one, and loses the receivers that polled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-epochs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'directory.db')
  const before = await openSqlite(file)
  await before.write(async (db) => {
    for (const statement of EARLIER) await db.exec(raw(statement))
  })
  await before.close()
  const store = await openSqlite(file)
  const { rows } = await store.read((db) =>
    db.exec(sql`select tenant_id, position, epoch, first_epoch from change_feeds order by 1`),
  )
  const epoch = expect.stringMatching(/^[a-z0-9]{8}$/)
  expect(rows).toEqual([
    { tenant_id: 'new', position: 0, epoch, first_epoch: rows[0]?.epoch },
    { tenant_id: 'old', position: 2, epoch, first_epoch: rows[0]?.epoch },
  ])
  const after = parseCursor('1')
  const page = await store.read((db) => readChanges(db, 'old', { after, count: 9, now: 9 }))
  expect(page?.rows).toMatchObject([{ position: 2, epoch: rows[0]?.epoch }])
  const tables = await store.read((db) =>
    db.exec(sql`select name from sqlite_schema where name = 'event_receivers'`),
  )
  expect(tables.rows).toEqual([])
  await store.close()
})

/** Restores the schema of the version before, with rows. */
const EARLIER = [
  'alter table change_feeds drop column epoch',
  'alter table change_feeds drop column first_epoch',
  'create table event_receivers (tenant_id text not null, id text not null)',
  `insert into event_receivers values ('old', 'app')`,
  `insert into tenants (id, name, created_at) values ('old', 'Old', 0), ('new', 'New', 0)`,
  `insert into change_feeds (tenant_id, position, bytes) values ('old', 2, 2)`,
  `insert into changes (tenant_id, position, time, type, resource_id, change, bytes)
    values ('old', 1, 0, 'user.created', 'a', '{}', 1), ('old', 2, 0, 'user.created', 'b', '{}', 1)`,
  `delete from migrations where id in ('20261129040000', '20261129040001')`,
]
