import { sql } from '@plumbline/scim/internal'
import { expect, it, onTestFinished } from 'vitest'
import { createSurvey } from '../../src/features/metrics/survey.ts'
import { createToken } from '../../src/kernel/access/token-store.ts'
import { DAY } from '../../src/kernel/durations.ts'
import { createJobReports } from '../../src/kernel/jobs/job-reports.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect, recorder } from '../support/harness.ts'
import { parsePrometheusText } from '../support/prometheus-text.ts'

/** The metrics about the whole database, on every store. */
export function surveyContract(storeOf: () => Store): void {
  const opened = async () => {
    const jobs = createJobReports()
    const store = { ...storeOf(), jobs }
    const client = await connect(store, { role: 'admin' })
    const { directory, adminToken } = client
    const job = createSurvey({ store, now: Date.now, ...directory.survey })
    const survey = async () => {
      await job.run()
      const headers = { Authorization: `Bearer ${adminToken}` }
      const request = new Request('http://localhost/metrics', { headers })
      const response = await recorder.middleware({ request }, () => directory.fetch(request))
      const samples = parsePrometheusText(await response.text())
      return (name: string, state?: string) =>
        samples.find((one) => one.name === name && one.labels.state === state)?.value
    }
    return { ...client, store, jobs, survey }
  }

  it('the metrics count the connections by state, and the expiring tokens', async () => {
    const { send, store, tenantId, survey } = await opened()
    expect((await send('POST', '/Users', { userName: 'ada' })).status).toBe(201)
    const before = await survey()
    expect(before('directory_database_bytes')).toBeGreaterThan(100_000)
    const path = `/api/tenants/${tenantId}/connection`
    expect((await send('PATCH', path, { state: 'paused' })).status).toBe(200)
    const tokenFor = (days: number) =>
      store.write((db) =>
        createToken(db, {
          tenantId,
          name: 'provider',
          role: 'client',
          profile: 'okta',
          now: Date.now(),
          expiresAt: Date.now() + days * DAY,
        }),
      )
    const { row } = await tokenFor(3)
    await tokenFor(30)
    const rotated = await tokenFor(3)
    const rotate = `/api/tokens/${rotated.row.id}/rotate`
    expect((await send('POST', rotate, { overlapSeconds: 3_600 })).status).toBe(201)
    const after = await survey()
    const change = (name: string, state?: string) =>
      Number(after(name, state)) - Number(before(name, state))
    expect(change('directory_connections', 'active')).toBe(-1)
    expect(change('directory_connections', 'paused')).toBe(1)
    expect(after('directory_connections', 'held')).toBe(0)
    // The successor of the rotated token also expires after three days.
    expect(change('directory_tokens_expiring')).toBe(2)
    await send('DELETE', `/api/tokens/${row.id}`)
    expect((await survey())('directory_tokens_expiring')).toBe(
      Number(after('directory_tokens_expiring')) - 1,
    )
  })

  it('a series keeps the value if the query fails, and the failure is reported', async () => {
    const { send, store, jobs, survey } = await opened()
    expect((await send('POST', '/Users', { userName: 'ada' })).status).toBe(201)
    const before = await survey()
    await store.write((db) => db.exec(sql`alter table change_feeds rename to change_feeds_away`))
    let isAway = true
    const restore = async () => {
      if (!isAway) return
      isAway = false
      await store.write((db) => db.exec(sql`alter table change_feeds_away rename to change_feeds`))
    }
    onTestFinished(restore)
    const after = await survey()
    for (const [name, state] of [
      ['directory_connections', 'active'],
      ['directory_webhooks', 'active'],
      ['directory_webhook_oldest_change_seconds', 'active'],
    ] as const) {
      expect(after(name, state)).toBe(before(name, state))
    }
    expect(after('directory_database_bytes')).toBeGreaterThan(0)
    const stateOf = () => jobs.read().find(({ job }) => job === 'readings')
    // The counts of connections and of webhooks read the table.
    expect(stateOf()?.failures).toBe(2)
    await restore()
    await survey()
    expect(stateOf()).toMatchObject({ failures: 2, sinceSuccess: 0 })
  })
}
