import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import type { Store } from '../../../../../src/kernel/store/store.ts'
import { fillUsers, nestGroups } from '../../../../contract/filled.ts'
import { planContract } from '../../../../contract/plans.ts'
import { provisioningPlanContract } from '../../../../contract/provisioning-plans.ts'
import { createFreshDatabase, type FreshDatabase } from '../../../../support/fresh-postgres.ts'
import { connect, PATIENT } from '../../../../support/harness.ts'
import { rowsRead } from '../../../../support/postgres-plan.ts'
import type { Statement } from '../../../../support/statement.ts'
import { RESOURCE_TABLES } from '../../../../support/types.ts'
import { watchStatements } from '../../../../support/watch-statements.ts'

describe.each([
  ['without statistics', false],
  ['with statistics', true],
])('on PostgreSQL %s, among 10,000 users', (_, hasStatistics) => {
  // A database of its own: rows of other tests would change the plans.
  let database: FreshDatabase
  let store: Store
  beforeAll(async () => {
    database = await createFreshDatabase()
    store = await openPostgres(database.url, PATIENT)
    await stopAnalyzing(database.client)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })
  const prepare = async () => hasStatistics && (await database.client.query('analyze'))
  planContract(() => store, { prepare, hasStatistics })
  describe.runIf(hasStatistics)('the provisioning log', () =>
    provisioningPlanContract(() => store, prepare),
  )
})

it('autovacuum renews the statistics after a new tenant gets a hundredth of all rows', async () => {
  const { url, client, drop } = await createFreshDatabase()
  const store = await openPostgres(url, PATIENT)
  const { rows } = await client.query(
    `select relname::text as name, reloptions::text as options from pg_class
      where relkind = 'r' and reloptions is not null order by relname`,
  )
  const options = '{autovacuum_analyze_threshold=1000,autovacuum_analyze_scale_factor=0.01}'
  expect(rows).toEqual(
    ['changes', 'requests', ...RESOURCE_TABLES].sort().map((name) => ({ name, options })),
  )
  await store.close()
  await drop()
})

it('on PostgreSQL without statistics, each group above a user is read once', async () => {
  const { url, client, drop } = await createFreshDatabase()
  const opened = await openPostgres(url, PATIENT)
  await stopAnalyzing(client)
  const statements: Statement[] = []
  const { store, tenantId, send } = await connect(
    watchStatements(opened, (statement) => statements.push(statement)),
  )
  const memberIds = await fillUsers(store, tenantId, { count: 1, size: 100 })
  await nestGroups(store, tenantId, { count: GROUPS, memberIds })
  statements.length = 0
  const { body } = await send('GET', `/Users/${memberIds[0]}`)
  expect(body.groups).toHaveLength(GROUPS)
  let rows = 0
  for (const statement of statements.filter(({ text }) => /^with recursive/.test(text))) {
    rows += await store.read((db) => rowsRead(db, statement, /^group/))
  }
  // Each is found from the group below it, then read with its name, and asked whether it is a member itself.
  expect(rows).toBeGreaterThan(GROUPS)
  expect(rows).toBeLessThan(8 * GROUPS)
  await opened.close()
  await drop()
})

it('on PostgreSQL without statistics, searching groups by their members does not compare all groups with all members', async () => {
  const { url, client, drop } = await createFreshDatabase()
  const opened = await openPostgres(url, PATIENT)
  await stopAnalyzing(client)
  const { tenantId, send } = await connect(opened)
  const ids = `select $1, 'a72b1c-' || lpad(i::text, 20, '0')`
  const numbers = `from generate_series(1, ${SEARCHED}) i`
  await client.query(
    `insert into groups (tenant_id, id, display_name, display_name_key, revision, created_at, last_modified)
      ${ids}, 'g' || i, 'g' || i, 1, 0, 0 ${numbers}`,
    [tenantId],
  )
  await client.query(
    `insert into group_members (tenant_id, group_id, member_id, member_type, display)
      ${ids}, 'u1', 'User', 'name 1' ${numbers}`,
    [tenantId],
  )
  for (const [filter, found] of [
    ['not (members.display pr)', 0],
    ['not (members.display co "name")', 0],
    ['not (members pr)', 0],
    ['members.display co "name"', SEARCHED],
    ['members.display sw "other"', 0],
    ['members[value sw "u" and display co "name"]', SEARCHED],
    ['members.display co "name" and not (members.value eq "u2")', SEARCHED],
  ] as const) {
    const start = performance.now()
    const { body } = await send('GET', `/Groups?count=10&filter=${encodeURIComponent(filter)}`)
    expect(body.totalResults).toBe(found)
    // All comparisons took 25 seconds.
    expect(performance.now() - start).toBeLessThan(5_000)
  }
  await opened.close()
  await drop()
})

/** Turns off autovacuum, which renews the statistics of a table. */
async function stopAnalyzing(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select quote_ident(relname) as name from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) {
    await client.query(`alter table ${name} set (autovacuum_enabled = off)`)
  }
}

const SEARCHED = 20_000
/** The groups of a chain: each contains the one before it. */
const GROUPS = 500
