import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Listening, listen } from '../../src/server.ts'
import type { LogEntry } from '../../src/shell/observe/request-log.ts'
import { addUsers, ENDLESS } from '../contract/scans.ts'
import { type Client, connect, PATIENT } from '../support/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
const log: LogEntry[] = []
let store: Store
let client: Client
let server: Listening
/** If not null, scans do not end by themselves, and call this when they have started. */
let onEndless: (() => void) | null = null
beforeAll(async () => {
  store = await openSqlite(join(folder, 'directory.db'), PATIENT)
  const endless: Store = {
    ...store,
    scan: (work, signal) =>
      store.scan(async (db) => {
        if (onEndless === null) return await work(db)
        const statement = db.exec(ENDLESS)
        onEndless()
        await statement
        return await work(db)
      }, signal),
  }
  client = await connect(endless, { log: (entry) => log.push(entry) })
  await addUsers(client)
  server = await listen(client.directory, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.stop()
  await store.close()
  rmSync(folder, { recursive: true })
})

// More often than there are threads for scans.
it.each([
  ['GET', '/scim/v2/Users', '/Users?filter=userName+co+"user"'],
  ['GET', '/scim/v2/Users', '/Users?cursor'],
  ['GET', '/scim/v2/Groups', '/Groups'],
  ['HEAD', '/scim/v2/Users', '/Users'],
])('a client hanging up stops the query on SQLite: %s %s', async (method, route, path) => {
  log.length = 0
  const { hostname, port } = new URL(server.origin)
  const headers = { Authorization: `Bearer ${client.token}` }
  const sent = request({ hostname, port, method, path: `/scim/v2${encodeURI(path)}`, headers })
  sent.on('error', () => undefined)
  onEndless = () => sent.destroy()
  sent.end()
  await expect
    .poll(() => log, { timeout: 60_000 })
    .toMatchObject([{ level: 'info', method, route, status: 499, tenant: client.tenantId }])
  expect(log[0]).not.toHaveProperty('error')
  onEndless = null
  const after = await client.send('GET', '/Users?count=1')
  expect(after).toMatchObject({ status: 200, body: { totalResults: 32 } })
})
