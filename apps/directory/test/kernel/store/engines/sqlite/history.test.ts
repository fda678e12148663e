import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createFileHistory } from '../../../../../src/kernel/store/engines/sqlite/history.ts'
import { openSqlite } from '../../../../../src/kernel/store/engines/sqlite/sqlite.ts'

it('a database in memory is never older than the last one, and leaves no file', async () => {
  const store = await openSqlite(':memory:')
  const history = createFileHistory(':memory:')
  expect(await history.check(store)).toBeNull()
  await history.record(store)
  await history.restart(store)
  expect(existsSync(':memory:-newest')).toBe(false)
  await store.close()
})
