import { raw, sql } from '@plumbline/scim/internal'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { createChangeDeletion } from '../../src/features/changes/deletion.ts'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import { createRecorder } from '../../src/features/recordings/recorder.ts'
import { createRecordingDeletion } from '../../src/features/recordings/recording-deletion.ts'
import { createTenantDeletion } from '../../src/features/tenants/deletion.ts'
import { createReceivers } from '../../src/features/webhooks/addresses.ts'
import { createDeliveryJob } from '../../src/features/webhooks/delivery-job.ts'
import type { LoggedFailure } from '../../src/kernel/jobs/job-lines.ts'
import type { JobName } from '../../src/kernel/jobs/job-names.ts'
import { createJobReports } from '../../src/kernel/jobs/job-reports.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { jobEntry } from '../../src/shell/observe/request-log.ts'
import { connect, recorder } from '../support/harness.ts'
import { parsePrometheusText } from '../support/prometheus-text.ts'
import { OWN_LEASE, startReceiver } from '../support/webhook-receiver.ts'

/** Background jobs whose tables are missing, on every store. */
export function failingJobsContract(storeOf: () => Store): void {
  const missing: string[] = []
  const rename = (from: string, to: string) =>
    storeOf().write((db) => db.exec(sql`alter table ${raw(from)} rename to ${raw(to)}`))
  afterEach(async () => {
    for (const table of missing.splice(0)) await rename(`${table}_away`, table)
  })
  const now = () => Date.now()
  const send = () => Promise.reject(new Error('no change is due'))

  it.each<[job: JobName, table: string, run: (store: Store) => Promise<unknown>]>([
    ['tenant-deletion', 'tenants', (store) => createTenantDeletion({ store, now }).run()],
    [
      'change-deletion',
      'change_feeds',
      (store) => createChangeDeletion({ store, now, days: 1, bytes: 1 }).run(),
    ],
    [
      'recording-deletion',
      'recordings',
      (store) => createRecordingDeletion({ store, now, days: 1 }).run(),
    ],
    ['recording-look-up', 'recordings', (store) => createRecorder({ store, now }).refresh()],
    [
      'request-log-pruning',
      'requests',
      (store) => createProvisioningLog({ store, now, days: 1, rows: 1 }).flush(),
    ],
    [
      'webhooks',
      'webhooks',
      (store) => createDeliveryJob({ store, send, now, lease: OWN_LEASE }).run(),
    ],
    ['webhooks', 'leases', (store) => createDeliveryJob({ store, send, now }).run()],
  ])('a failure of %s without the table %s is logged and counted', async (job, table, run) => {
    const jobs = createJobReports()
    const lines: LoggedFailure[] = []
    jobs.writeTo((line) => lines.push(line))
    const store = { ...storeOf(), jobs }
    const { directory, adminToken } = await connect(store, { role: 'admin' })
    await rename(table, `${table}_away`)
    missing.push(table)
    await run(store)
    await run(store)
    await rename(`${missing.pop()}_away`, table)
    const tenantId = job === 'change-deletion' ? expect.any(String) : null
    expect(lines).toMatchObject([{ job, tenantId, suppressed: 0 }])
    expect(jobEntry(lines[0] as LoggedFailure, 0).error).toMatch(/^\w+ \w+.* at \S/)
    const headers = { Authorization: `Bearer ${adminToken}` }
    const request = new Request('http://localhost/metrics', { headers })
    const response = await recorder.middleware({ request }, () => directory.fetch(request))
    const samples = parsePrometheusText(await response.text())
    const readingOf = (metric: string) =>
      samples.find(({ name, labels }) => name === metric && labels.task === job)?.value
    // Work for each tenant fails for each tenant.
    expect(readingOf('directory_job_failures_total')).toBeGreaterThanOrEqual(2)
    expect(readingOf('directory_job_last_success_seconds')).toBeGreaterThan(0)
  })

  it('a delivery that cannot be stored, and a request that cannot be logged, are logged and counted', async () => {
    const jobs = createJobReports()
    const lines: LoggedFailure[] = []
    jobs.writeTo((line) => lines.push(line))
    const store = { ...storeOf(), jobs }
    const provisioning = createProvisioningLog({ store, now, days: 1, rows: 100 })
    const { url, close, accepted } = await startReceiver((_, answer) => answer.writeHead(204).end())
    onTestFinished(close)
    const receivers = createReceivers({ allow: ['127.0.0.1'] })
    const client = await connect(store, { role: 'admin', provisioning, receivers })
    const { status } = await client.send('POST', `/api/tenants/${client.tenantId}/webhooks`, {
      url,
    })
    expect(status).toBe(201)
    for (const table of ['deliveries', 'requests']) {
      await rename(table, `${table}_away`)
      missing.push(table)
    }
    expect((await client.send('POST', '/Users', { userName: 'ada' })).status).toBe(201)
    await provisioning.flush()
    const { delivery } = client.directory
    const job = createDeliveryJob({ store, now, lease: OWN_LEASE, ...delivery })
    for (let at = 0; at < 2; at += 1) {
      await job.run()
      await job.idle()
    }
    await job.close()
    // The process remembers that the receiver has accepted the change.
    expect(accepted).toHaveLength(1)
    const { tenantId } = client
    const failed = lines.map((line) => ({ job: line.job, tenantId: line.tenantId }))
    expect(failed).toContainEqual({ job: 'webhook-delivery', tenantId })
    expect(failed).toContainEqual({ job: 'request-log', tenantId: null })
    const counted = jobs.read().filter(({ failures }) => failures > 0)
    expect(counted.map((one) => one.job).sort()).toEqual(
      expect.arrayContaining(['request-log', 'webhook-delivery']),
    )
  })
}
