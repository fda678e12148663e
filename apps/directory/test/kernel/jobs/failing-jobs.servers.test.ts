import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../../src/kernel/store/engines/postgres/postgres.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { failingJobsContract } from '../../contract/failing-jobs.ts'
import { surveyContract } from '../../contract/survey.ts'
import { createFreshDatabase, type FreshDatabase } from '../../support/fresh-postgres.ts'
import { parsePrometheusText } from '../../support/prometheus-text.ts'
import { client, serve } from '../../support/spawned-server.ts'

const TOKEN = 'a-token-of-the-environment'
/** The jobs that use the tables of the other role. */
const EXPECTED = ['request-log', 'request-log-pruning', 'webhooks']
let database: FreshDatabase
beforeAll(async () => {
  database = await createFreshDatabase()
})
afterAll(() => database.drop())

describe('on PostgreSQL', () => {
  let store: Store
  beforeAll(async () => {
    store = await openPostgres(database.url)
  })
  afterAll(() => store.close())
  failingJobsContract(() => store)
  surveyContract(() => store)
})

it('a process without rights on its background tables logs each failing job', async () => {
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`
  const own = await createFreshDatabase()
  const name = new URL(own.url).pathname.slice(1)
  await own.client.query(`create role ${role} login; alter database ${name} owner to ${role};
    grant all on schema public to ${role}`)
  const url = new URL(own.url)
  url.username = role
  const server = await serve({ DATABASE_URL: url.href, DIRECTORY_TOKEN: TOKEN })
  onTestFinished(async () => {
    server.child.kill()
    await server.ended
    await own.drop()
    await database.client.query(`drop role ${role}`)
  })
  const send = client({ origin: server.origin, token: TOKEN })
  // The state after a restore as another role.
  for (const table of ['requests', 'leases']) {
    await own.client.query(`alter table ${table} owner to postgres`)
  }
  for (const at of Array(20).keys()) {
    expect((await send('POST', '/Users', { userName: `user-${at}` })).status).toBe(201)
  }
  const failing = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes('"job"'))
      .map((line) => JSON.parse(line))
  await expect
    .poll(() => new Set(failing().map(({ job }) => job)), { timeout: 60_000 })
    .toEqual(new Set(EXPECTED))
  for (const line of failing()) {
    expect(line).toMatchObject({
      level: 'error',
      error: expect.stringContaining('42501 (permission denied for table '),
    })
  }
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const text = await (await fetch(`${server.origin}/metrics`, { headers })).text()
  const failures = parsePrometheusText(text).filter(
    ({ name, value }) => name === 'directory_job_failures_total' && value > 0,
  )
  expect(failures.map(({ labels }) => labels.task).sort()).toEqual(EXPECTED)
  expect(server.errors()).toBe('')
})
