import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTenant } from '../../../../src/features/tenants/store.ts'
import { findTenant } from '../../../../src/kernel/access/tenant-store.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Client, connect, PATIENT } from '../../../support/harness.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'directory-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const tenantId = 'acme'

/** Opens a database as a process does, and closes it. */
async function using<Value>(file: string, work: (client: Client) => Promise<Value>) {
  const store = await openSqlite(join(folder, file), PATIENT)
  try {
    await store.write(async (db) => {
      const tenant = { id: tenantId, name: 'Acme', created_at: 0 }
      if (!(await findTenant(db, tenantId))) await createTenant(db, tenant)
    })
    return await work(await connect(store, { tenantId }))
  } finally {
    await store.close()
  }
}

it('a cursor is valid in every process on the same database, and invalid on other databases', async () => {
  const cursor = await using('a.db', async ({ send }) => {
    for (const userName of ['a', 'b']) await send('POST', '/Users', { userName })
    return (await send('GET', '/Users?cursor&count=1')).body.nextCursor
  })
  const path = `/Users?cursor=${cursor}&count=1`
  const same = await using('a.db', ({ send }) => send('GET', path))
  expect(same.body.Resources).toMatchObject([{ userName: 'b' }])
  const other = await using('b.db', ({ send }) => send('GET', path))
  expect(other).toMatchObject({ status: 400, body: { scimType: 'invalidCursor' } })
})
