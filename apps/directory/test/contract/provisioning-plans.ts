import { sql } from '@plumbline/scim/internal'
import { beforeAll, expect, it } from 'vitest'
import { countRequests, findLastSuccess } from '../../src/features/log/count-requests.ts'
import { findLater, findRequests, type RequestQuery } from '../../src/features/log/find-requests.ts'
import { findIdAt } from '../../src/features/log/id-at.ts'
import { deleteOldest } from '../../src/features/log/request-sizes.ts'
import { insertRequests, type NewRequest } from '../../src/features/log/write-requests.ts'
import type { Database } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { planNodes } from '../support/postgres-plan.ts'
import type { Statement } from '../support/statement.ts'
import { watchStatements } from '../support/watch-statements.ts'

const ROWS = 20_000
const USERS = 400
const TENANT = 'logged'

/**
 * Checks the query plan of each statement of the provisioning log, among 20,000 requests of a tenant.
 *
 * @param prepare runs after the requests were added
 */
export function provisioningPlanContract(
  storeOf: () => Store,
  prepare: () => Promise<unknown> = async () => undefined,
): void {
  let statements: Statement[] = []
  beforeAll(async () => {
    const store = storeOf()
    for (let at = 0; at < ROWS; at += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, row) => requestOf(at + row))
      await store.write((db) => insertRequests(db, store.dialect, rows))
    }
    await prepare()
  })

  /** The steps of the plans of the statements that work runs. */
  const stepsOf = async (work: (db: Database) => Promise<unknown>): Promise<readonly Step[]> => {
    statements = []
    const store = watchStatements(storeOf(), (statement) => statements.push(statement))
    await store.write(work)
    const steps: Step[] = []
    for (const statement of statements) {
      steps.push(...(await storeOf().read((db) => stepsIn(db, storeOf(), statement))))
    }
    expect(steps).not.toEqual([])
    return steps
  }

  it.each<[string, Partial<RequestQuery>, keyof typeof INDEXES]>([
    ['the newest', {}, 'primary key'],
    ['a later page', { before: ROWS / 2 }, 'primary key'],
    ['half of the time', { from: 5_000_000, to: 15_000_000 }, 'range'],
    ['a request id', { requestId: 'unknown' }, 'start'],
    ['a request id in half of the time', { requestId: 'unknown', to: 10_000_000 }, 'range'],
    ['successes', { status: '2xx' }, 'primary key'],
    ['errors', { status: 'errors' }, 'failures'],
    ['errors of clients', { status: '4xx' }, 'failures'],
    ['errors of the server', { status: '5xx', before: ROWS / 2 }, 'failures'],
  ])('a search for %s uses an index and does not sort', async (_, query, index) => {
    const steps = await stepsOf((db) => findRequests(db, { tenantId: TENANT, count: 20, ...query }))
    // A sort would read every request of the tenant.
    expect(steps.filter(({ isScan, isSort }) => isScan || isSort)).toEqual([])
    expect(steps.at(-1)?.text).toMatch(INDEXES[index])
  })

  it.each<[string, Partial<RequestQuery>, keyof typeof INDEXES]>([
    ['a short time', { from: 5_000_000, to: 5_100_000 }, 'range'],
    ['a request id of an error', { requestId: 'unknown', status: 'errors' }, 'failures'],
  ])('a search for %s reads only the matching rows in an index', async (_, query, index) => {
    const steps = await stepsOf((db) => findRequests(db, { tenantId: TENANT, count: 20, ...query }))
    // PostgreSQL may sort the few rows that it finds.
    expect(steps.filter(({ isScan }) => isScan)).toEqual([])
    expect(steps.filter(({ isSort }) => !isSort).at(-1)?.text).toMatch(INDEXES[index])
  })

  it.each([
    ['the id', 'id-7', {}],
    ['the userName', 'Name-7@Example.com', {}],
    ['the userName, for errors at a time', 'Name-7@Example.com', { status: 'errors', from: 1 }],
  ] as const)('a search for a user by %s uses both indexes', async (_, user, query) => {
    const steps = await stepsOf((db) =>
      findRequests(db, { tenantId: TENANT, user, count: 20, ...query }),
    )
    expect(steps.filter(({ isScan }) => isScan)).toEqual([])
    const text = steps.map((step) => step.text).join('\n')
    expect(text).toMatch(INDEXES['user name'])
    expect(text).toMatch(INDEXES.resource)
  })

  it.each<[string, (db: Database) => Promise<unknown>]>([
    ['the live view', (db) => findLater(db, TENANT, ROWS - 10, 100)],
    ['the search for the id at a time', (db) => findIdAt(db, TENANT, 5_000_000)],
    [
      'the count of half of the time',
      (db) => countRequests(db, TENANT, { start: 10_000_000, step: 1_000_000, count: 10 }),
    ],
    ['the search for the last success', (db) => findLastSuccess(db, TENANT)],
    ['a deletion', (db) => deleteOldest(db, storeOf().dialect, TENANT, { before: 100 })],
  ])('%s uses the primary key and does not sort', async (_, work) => {
    // The table of sizes has one row for each tenant.
    const steps = (await stepsOf(work)).filter(({ text }) => !text.includes('request_sizes'))
    for (const { text, isScan, isSort } of steps) {
      expect(text).toMatch(INDEXES['primary key'])
      expect([isScan, isSort]).toEqual([false, false])
    }
  })

  it('a scan and a sort are detected', async () => {
    const steps = await stepsOf((db) =>
      db.exec(sql`select id from requests where entry is not null order by time`),
    )
    expect(steps.some(({ isScan }) => isScan)).toBe(true)
    expect(steps.some(({ isSort }) => isSort)).toBe(true)
  })
}

/** A step of a plan that reads rows of a table or sorts them. */
interface Step {
  readonly text: string
  /** Whether the step reads a table without an index. */
  readonly isScan: boolean
  readonly isSort: boolean
}

async function stepsIn(
  db: Database,
  { dialect }: Pick<Store, 'dialect'>,
  statement: Statement,
): Promise<readonly Step[]> {
  return dialect.name === 'sqlite'
    ? await stepsOfSqlite(db, statement)
    : await stepsOfPostgres(db, statement)
}

/** https://sqlite.org/eqp.html: a search uses an index, and a sort a temporary B-tree. */
async function stepsOfSqlite(db: Database, { fragment }: Statement): Promise<readonly Step[]> {
  const { rows } = await db.exec(sql`explain query plan ${fragment}`)
  return rows
    .map(({ detail }) => String(detail))
    .filter((detail) => /^(?:SEARCH|SCAN(?! named| newest))|FOR ORDER BY/.test(detail))
    .map((detail) => ({
      text: detail,
      isScan: detail.startsWith('SCAN'),
      isSort: detail.includes('FOR ORDER BY'),
    }))
}

async function stepsOfPostgres(db: Database, statement: Statement): Promise<readonly Step[]> {
  return (await planNodes(db, statement))
    .filter(({ 'Node Type': type }) => /^(?!Bitmap Heap|Subquery).* Scan$|Sort/.test(String(type)))
    .map((node) => {
      const type = String(node['Node Type'])
      const { 'Index Name': index, 'Index Cond': condition } = node
      return {
        text: `${type} ${index ?? node['Relation Name'] ?? ''} ${condition ?? ''}`,
        isScan: type.endsWith(' Scan') && condition === undefined,
        isSort: type.endsWith('Sort'),
      }
    })
}

/** A request per second. One of twenty fails, and one of two hundred is a fault of the server. */
function requestOf(at: number): NewRequest {
  const user = (at * 7) % USERS
  return {
    tenantId: TENANT,
    time: at * 1_000,
    status: at % 200 === 0 ? 503 : at % 20 === 0 ? 409 : 200,
    resourceId: `id-${user}`,
    userNameKey: at % 2 === 0 ? `name-${user}@example.com` : null,
    entry: '{}',
    exchange: null,
  }
}

/** The beginning of a search in each index: by the tenant, and by the value where there is one. */
const INDEXES = {
  'primary key': / (?:sqlite_autoindex_requests_1|requests_pkey) \(\(?tenant_id ?=/,
  range:
    / (?:sqlite_autoindex_requests_1|requests_pkey) \(\(?tenant_id ?=.* AND \(?id ?>=?.* AND \(?id ?</,
  start: / (?:sqlite_autoindex_requests_1|requests_pkey) \(\(?tenant_id ?=.* AND \(?id ?>/,
  failures: / requests_by_failure \(\(?tenant_id ?=/,
  'user name': / requests_by_user_name \(\(?tenant_id ?=.* AND \(?user_name_key ?=/,
  resource: / requests_by_resource \(\(?tenant_id ?=.* AND \(?resource_id ?=/,
}
