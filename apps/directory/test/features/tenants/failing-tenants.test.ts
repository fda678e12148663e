import { raw, sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { createChangeDeletion } from '../../../src/features/changes/deletion.ts'
import { createPruning } from '../../../src/features/log/pruning.ts'
import { insertRequests } from '../../../src/features/log/write-requests.ts'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { createDueSearch } from '../../../src/features/webhooks/find-due.ts'
import { insertWebhook } from '../../../src/features/webhooks/store.ts'
import { eachTenant } from '../../../src/kernel/jobs/each-tenant.ts'
import type { ReportFailure } from '../../../src/kernel/jobs/job-reports.ts'
import type { Database } from '../../../src/kernel/store/database.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { within } from '../../../src/kernel/store/within.ts'
import { connect } from '../../support/harness.ts'
import { statementOf } from '../../support/statement.ts'

const DOWN = 'a-down'
const UP = 'b-up'

let database: Store
beforeAll(async () => {
  database = await openSqlite(':memory:')
  for (const tenantId of [DOWN, UP]) {
    await database.write((db) => createTenant(db, { id: tenantId, name: tenantId, created_at: 0 }))
    const { send } = await connect(database, { tenantId })
    expect((await send('POST', '/Users', { userName: 'ada' })).status).toBe(201)
  }
})
afterAll(() => database.close())

/** A store whose node with the tenant `a-down` fails: so do its statements, and those of all tenants. */
function withFailingNode(fail: () => Promise<never>): Store {
  const watch = <Value>(work: (db: Database) => Promise<Value>) => {
    return (db: Database): Promise<Value> =>
      work({
        exec: (statement) => {
          const { text, values } = statementOf(statement)
          const isOfAll = /\b(?:webhooks w|users)\b/.test(text) && !/tenant_id\s*=\s*\?/.test(text)
          const isRead = /\b(?:users|requests|change_feeds|changes|webhooks)\b/.test(text)
          return isRead && (isOfAll || values.includes(DOWN)) ? fail() : db.exec(statement)
        },
      })
  }
  return {
    ...database,
    read: (work, options) => database.read(watch(work), options),
    scan: (work, options) => database.scan(watch(work), options),
    background: (work) => database.background(watch(work)),
  }
}

const WEBHOOK = {
  id: 'w',
  url: 'https://example.com/',
  kinds: null,
  audience: null,
  secret: 's',
  old_secret: null,
  old_secret_until: null,
  created_at: 0,
  position: 0,
  attempts: 0,
  next_attempt_at: 0,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
}
const refuse = () => Promise.reject(new StoreUnavailableError('the node is down'))

it('work for each tenant goes on after one fails, and reports each failure', async () => {
  const seen: string[] = []
  const work = async (id: string) => {
    seen.push(id)
    if (id !== 'c') throw new Error(id)
  }
  const failed: unknown[] = []
  const fail: ReportFailure = (error, tenantId) => void failed.push([String(error), tenantId])
  expect(await eachTenant(['a', 'b', 'c'], work, { fail })).toBe(false)
  expect(seen).toEqual(['a', 'b', 'c'])
  expect(failed).toEqual([
    ['Error: a', 'a'],
    ['Error: b', 'b'],
  ])
  expect(await eachTenant(['c'], work, { fail })).toBe(true)
})

it('hanging work is not awaited after the limit, and the signal aborts', async () => {
  let given: AbortSignal | undefined
  const hang = (signal: AbortSignal) => {
    given = signal
    return new Promise<never>(() => undefined)
  }
  await expect(within(10, hang)).rejects.toThrow(StoreUnavailableError)
  expect(given?.aborted).toBe(true)
})

describe("while a tenant's node is down", () => {
  let store: Store
  beforeAll(() => {
    store = withFailingNode(refuse)
  })
  const token = 'a-token-of-the-environment'
  const get = (path: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    const request = new Request(`http://localhost${path}`, { headers })
    return createDirectory({ store, token }).fetch(request)
  }

  it("the tenant's summary is unknown in a list, and the others are counted", async () => {
    const answer = await get('/api/tenants?summary=true')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      tenants: [
        { id: DOWN, summary: null },
        { id: UP, summary: { resources: { User: { count: 1 } } } },
      ],
    })
    expect((await get(`/api/tenants/${DOWN}?summary=true`)).status).toBe(503)
  })

  it("other tenants' old requests and changes are deleted", async () => {
    const row = { time: 0, status: 200, resourceId: null, userNameKey: null, entry: '{}' }
    const rows = [DOWN, UP].map((tenantId) => ({ ...row, tenantId, exchange: null }))
    await database.write((db) => insertRequests(db, database.dialect, rows))
    const later = () => Date.now() + 10 * 86_400_000
    await createPruning({ store, now: later, days: 1, rows: 100 }).run()
    await createChangeDeletion({ store, now: later, days: 1, bytes: 1e9 }).run()
    const left = async (table: string) => {
      const rest = await database.read((db) =>
        db.exec(sql`select tenant_id from ${raw(table)} order by tenant_id`),
      )
      return rest.rows.map(({ tenant_id }) => tenant_id)
    }
    expect(await left('requests')).toEqual([DOWN])
    expect(await left('changes')).toEqual([DOWN])
  })
})

describe('the search for due webhooks', () => {
  const NOW = Date.now() + 3_600_000
  beforeAll(async () => {
    for (const tenant_id of [DOWN, UP]) {
      await database.write((db) => insertWebhook(db, { ...WEBHOOK, tenant_id }))
    }
    await database.write((db) => createTenant(db, { id: 'c', name: 'No webhooks', created_at: 1 }))
  })
  const failed: unknown[] = []
  const report: ReportFailure = (_, tenantId) => void failed.push(tenantId)
  const tenantsOf = async (store: Store, elapsed?: () => number) =>
    (await createDueSearch(store, elapsed)(NOW, report)).map(({ tenant_id }) => tenant_id).sort()

  it('the search asks each tenant while a node is down, reports the failing ones and leaves them out', async () => {
    expect(await tenantsOf(database)).toEqual([DOWN, UP])
    expect(await tenantsOf(withFailingNode(refuse))).toEqual([UP])
    expect(failed).toEqual([undefined, DOWN])
  })

  it('the search asks for all tenants again half a minute later', async () => {
    let isDown = true
    let time = 0
    const failing = withFailingNode(refuse)
    const store: Store = {
      ...database,
      read: (work, options) => (isDown ? failing : database).read(work, options),
    }
    const search = createDueSearch(store, () => time)
    expect((await search(NOW, report)).map(({ tenant_id }) => tenant_id)).toEqual([UP])
    isDown = false
    time = 29_999
    expect((await search(NOW, report)).map(({ tenant_id }) => tenant_id)).toEqual([UP])
    time = 30_000
    expect(await search(NOW, report)).toHaveLength(2)
  })
})
