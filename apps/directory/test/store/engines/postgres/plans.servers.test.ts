import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../../src/store/engines/postgres/postgres.ts'
import type { Store } from '../../../../src/store/store.ts'
import { fillUsers, nestGroups } from '../../../contract/filled.ts'
import { planContract } from '../../../contract/plans.ts'
import { provisioningPlanContract } from '../../../contract/provisioning-plans.ts'
import { createFreshDatabase } from '../../../support/fresh-postgres.ts'
import { connect, PATIENT } from '../../../support/harness.ts'
import { rowsRead } from '../../../support/postgres-plan.ts'
import type { Statement } from '../../../support/statement.ts'
import { watchStatements } from '../../../support/watch-statements.ts'

describe('on PostgreSQL, among 10,000 users', () => {
  // A database of its own: rows of other tests would change the plans.
  const name = `plans_${crypto.randomUUID().replaceAll('-', '')}`
  let server: pg.Client
  let store: Store
  beforeAll(async () => {
    const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
    if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
    server = new pg.Client({ connectionString: url })
    await server.connect()
    await server.query(`create database ${name}`)
    store = await openPostgres(Object.assign(new URL(url), { pathname: `/${name}` }).href, PATIENT)
  })
  afterAll(async () => {
    await store.close()
    await server.query(`drop database ${name}`)
    await server.end()
  })
  planContract(() => store)
  describe('the provisioning log', () => provisioningPlanContract(() => store))
})

it('on PostgreSQL without statistics, each group above a user is read once', async () => {
  const { url, client, drop } = await createFreshDatabase()
  const opened = await openPostgres(url, PATIENT)
  for (const table of ['groups', 'group_members']) {
    await client.query(`alter table ${table} set (autovacuum_enabled = off)`)
  }
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

it('on PostgreSQL without statistics, searches of groups by their members do not compare all groups with all members', async () => {
  const { url, client, drop } = await createFreshDatabase()
  const opened = await openPostgres(url, PATIENT)
  for (const table of ['groups', 'group_members']) {
    await client.query(`alter table ${table} set (autovacuum_enabled = off)`)
  }
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

const SEARCHED = 20_000
/** The groups of a chain: each contains the one before it. */
const GROUPS = 500
