import { type Database, rawSql } from '@remix-run/data-table'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import { findLater, findRequests, type RequestQuery } from '../src/store/requests/find-requests.ts'
import { findIdAt } from '../src/store/requests/id-at.ts'
import { deleteRequests, findExcess } from '../src/store/requests/write-requests.ts'
import type { Store } from '../src/store/store.ts'
import { watched } from './harness.ts'

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

let inner: Store
let store: Store
let statements: Statement[] = []
beforeAll(async () => {
  inner = await openSqlite(':memory:')
  store = watched(inner, (name, [statement]) => {
    if (name === 'exec') statements.push(statement as Statement)
  })
})
afterAll(() => inner.close())

/** The steps of the plans of the statements that work runs. */
async function plansOf(work: (db: Database) => Promise<unknown>): Promise<readonly string[]> {
  statements = []
  await store.write(work)
  const plans = await inner.read((db) =>
    Promise.all(
      statements.map(async ({ text, values }) => {
        const { rows = [] } = await db.exec(rawSql(`explain query plan ${text}`, [...values]))
        return rows.map(({ detail }) => String(detail))
      }),
    ),
  )
  return plans.flat()
}

const IN_TENANT = 'SEARCH requests USING INDEX sqlite_autoindex_requests_1 (tenant_id=?'
const FAILURES = 'SEARCH requests USING INDEX requests_by_failure (tenant_id=?'

// A sort would read every request of the tenant: `USE TEMP B-TREE FOR ORDER BY`.
it.each<[string, Partial<RequestQuery>, string]>([
  ['the newest', {}, IN_TENANT],
  ['a later page', { before: 7 }, IN_TENANT],
  ['a time', { from: 1, to: 2 }, IN_TENANT],
  ['successes', { status: '2xx' }, IN_TENANT],
  ['errors', { status: 'errors' }, FAILURES],
  ['errors of clients', { status: '4xx' }, FAILURES],
  ['errors of the server', { status: '5xx', before: 7 }, FAILURES],
])('a search for %s uses an index and does not sort', async (_, query, expected) => {
  const plans = await plansOf((db) => findRequests(db, { tenantId: 'a', count: 100, ...query }))
  for (const step of plans) expect(step).toMatch(/^SEARCH requests USING (?:COVERING )?INDEX/)
  expect(plans.at(-1)).toContain(expected)
})

it('a search for a user uses the indexes of the id and of the userName', async () => {
  const plans = await plansOf((db) =>
    findRequests(db, { tenantId: 'a', user: 'b', count: 100, status: 'errors', from: 1 }),
  )
  expect(plans.filter((step) => /^SCAN (?!named)/.test(step))).toEqual([])
  const used = plans.filter((step) => step.startsWith('SEARCH requests')).join('\n')
  expect(used).toContain('requests_by_user_name (tenant_id=? AND user_name_key=?')
  expect(used).toContain('requests_by_resource (tenant_id=? AND resource_id=?')
})

it('the live view, the limits and deletions read only the rows that they need', async () => {
  const plans = await plansOf(async (db) => {
    await findLater(db, 'a', 1, 100)
    await findIdAt(db, 'a', 1)
    await findExcess(db, 'a', 100)
    await deleteRequests(db, 'a', 100)
  })
  for (const step of plans) {
    expect(step).toMatch(/^SEARCH requests USING (?:COVERING )?INDEX sqlite_autoindex_requests_1/)
  }
})
