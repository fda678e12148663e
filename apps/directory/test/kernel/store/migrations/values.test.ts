import { raw } from '@plumbline/scim/internal'
import { expect, it } from 'vitest'
import { indexValues } from '../../../../src/features/scim/values-migration.ts'
import { SQLITE_DIALECT } from '../../../../src/kernel/store/engines/sqlite/dialect.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Migrated } from '../../../../src/kernel/store/migrations/migrated.ts'

it('the value index is not built again if another process finishes it before the first transaction', async () => {
  const store = await openSqlite(':memory:')
  await store.write((db) => db.exec(raw('create table user_emails (id text)')))
  let isFirst = true
  const transaction: Migrated['transaction'] = (work) =>
    store.write(async (db) => {
      // The other process drops the index that this one replaces.
      if (isFirst) await db.exec(raw('drop table user_emails'))
      isFirst = false
      return await work(db)
    })
  const db = {
    exec: (statement: Parameters<Migrated['db']['exec']>[0]) =>
      store.write((tx) => tx.exec(statement)),
  }
  await expect(indexValues({ db, transaction }, SQLITE_DIALECT)).resolves.toBeUndefined()
  await store.close()
})
