import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE } from '../../../src/kernel/durations.ts'
import { createJob, type JobWork, repeatWithPauses } from '../../../src/kernel/jobs/background.ts'
import type { LoggedFailure } from '../../../src/kernel/jobs/job-lines.ts'
import type { JobName } from '../../../src/kernel/jobs/job-names.ts'
import { createJobReports, type ReportProgress } from '../../../src/kernel/jobs/job-reports.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function started() {
  const jobs = createJobReports({ elapsed: Date.now })
  const lines: LoggedFailure[] = []
  jobs.writeTo((line) => lines.push(line))
  const stateOf = (job: JobName) => jobs.read().find((state) => state.job === job)
  const breakFor = (tenantId: string | null, job: JobName = 'webhook-delivery') =>
    jobs.attempt(job, () => Promise.reject(new Error(`of ${tenantId}`)), {
      otherwise: undefined,
      tenantId,
    })
  return { jobs, lines, stateOf, breakFor }
}

describe('the log for failing jobs', () => {
  it("the log has a job's first failure immediately, and the last one of the minute at its end", async () => {
    const { lines, breakFor } = started()
    for (const tenantId of ['a', 'b', 'c', 'b', 'd']) await breakFor(tenantId)
    expect(lines).toMatchObject([
      { job: 'webhook-delivery', tenantId: 'a', suppressed: 0, suppressedTenants: [] },
    ])
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(lines[1]).toMatchObject({
      tenantId: 'd',
      error: new Error('of d'),
      suppressed: 3,
      suppressedTenants: ['b', 'c'],
    })
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(lines).toHaveLength(2)
    await breakFor('e')
    expect(lines[2]).toMatchObject({ tenantId: 'e', suppressed: 0 })
  })

  it('the log has one line a minute for each job failing for many tenants, with some ids', async () => {
    const { lines, breakFor } = started()
    for (let at = 0; at < 120_000; at += 10) {
      await breakFor(`tenant-${at}`)
      if (at % 1_000 === 0) await breakFor(null, 'change-deletion')
      await vi.advanceTimersByTimeAsync(10)
    }
    const deliveries = lines.filter(({ job }) => job === 'webhook-delivery')
    expect(deliveries).toHaveLength(3)
    expect(deliveries[1]).toMatchObject({ suppressed: 5_998 })
    expect(deliveries[1]?.suppressedTenants).toHaveLength(10)
    expect(lines.filter(({ job }) => job === 'change-deletion')).toHaveLength(3)
  })
})

describe("a job's state", () => {
  it("a scheduled job's state shows the time since the last success, also while a run hangs", async () => {
    const { jobs, stateOf } = started()
    let work: () => Promise<void> = async () => undefined
    const job = createJob({ name: 'webhooks', interval: 1_000, jobs }, () => work())
    expect(stateOf('webhooks')).toMatchObject({ interval: 0, sinceSuccess: 0 })
    job.start()
    await vi.advanceTimersByTimeAsync(5_500)
    expect(stateOf('webhooks')).toMatchObject({ interval: 1_000, sinceSuccess: 500, running: 0 })
    let end = (): void => undefined
    work = () =>
      new Promise((resolve) => {
        end = resolve
      })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(stateOf('webhooks')).toMatchObject({ sinceSuccess: 60_500, running: 1, failures: 0 })
    end()
    await vi.advanceTimersByTimeAsync(0)
    expect(stateOf('webhooks')).toMatchObject({ sinceSuccess: 0, running: 0 })
    work = () => Promise.reject(new Error('broken'))
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(stateOf('webhooks')).toMatchObject({ sinceSuccess: MINUTE, failures: 60 })
    await job.close()
  })

  it('a scheduled job is not a success if a part of the run failed', async () => {
    const { jobs, stateOf, lines } = started()
    const job = createJob({ name: 'tenant-deletion', interval: MINUTE, jobs }, async (_, fail) => {
      fail(new Error('broken'), 'acme')
    })
    job.start()
    await vi.advanceTimersByTimeAsync(MINUTE / 2)
    expect(stateOf('tenant-deletion')).toMatchObject({ sinceSuccess: MINUTE / 2, failures: 1 })
    expect(lines).toMatchObject([{ tenantId: 'acme' }])
    await job.close()
  })

  it('a job on demand shows how long it has failed or hung, and 0 if the work is done', async () => {
    const { jobs, stateOf, breakFor } = started()
    const succeed = () =>
      jobs.attempt('webhook-delivery', async () => 'done', { otherwise: '', tenantId: 'b' })
    expect(stateOf('webhook-delivery')).toMatchObject({ sinceSuccess: 0 })
    await breakFor('a')
    await vi.advanceTimersByTimeAsync(700)
    await breakFor('a')
    expect(stateOf('webhook-delivery')).toMatchObject({ sinceSuccess: 700, failures: 2 })
    expect(await succeed()).toBe('done')
    expect(stateOf('webhook-delivery')).toMatchObject({ sinceSuccess: 0 })
    let end = (): void => undefined
    const hanging = jobs.attempt(
      'webhook-delivery',
      () =>
        new Promise<void>((resolve) => {
          end = resolve
        }),
      { otherwise: undefined },
    )
    await vi.advanceTimersByTimeAsync(MINUTE)
    // Another tenant's success doesn't hide the run that hangs.
    await succeed()
    expect(stateOf('webhook-delivery')).toMatchObject({ sinceSuccess: MINUTE, running: 1 })
    end()
    await hanging
    expect(stateOf('webhook-delivery')).toMatchObject({ sinceSuccess: 0, running: 0 })
  })
})

it('a long run making progress does not seem to hang', async () => {
  const { jobs, stateOf } = started()
  const steps = async (progress: ReportProgress) => {
    for (let at = 0; at < 200; at += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      progress()
    }
  }
  const work: JobWork = (_signal, _fail, progress) => steps(progress)
  const job = createJob({ name: 'tenant-deletion', interval: 5_000, jobs }, work)
  job.start()
  const options = { otherwise: undefined }
  void jobs.attempt('request-log-pruning', (_, progress) => steps(progress), options)
  for (let at = 0; at < 199; at += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stateOf('tenant-deletion')).toMatchObject({ running: 1, sinceSuccess: 0 })
    expect(stateOf('request-log-pruning')).toMatchObject({ running: 1, sinceSuccess: 0 })
  }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(stateOf('request-log-pruning')).toMatchObject({ running: 0, sinceSuccess: 0 })
  void job.close()
})

it('each step of repeated work is progress', async () => {
  let left = 3
  let progressed = 0
  const step = async () => {
    left -= 1
    return left > 0
  }
  const progress = (): void => {
    progressed += 1
  }
  vi.useRealTimers()
  await repeatWithPauses(step, { pause: 0, progress })
  expect(progressed).toBe(2)
})

it('a run ended by a stopping process is not a failure', async () => {
  const { jobs, stateOf, lines } = started()
  const work = async (signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    signal.throwIfAborted()
  }
  const job = createJob({ name: 'change-deletion', interval: MINUTE, jobs }, work)
  job.start()
  await job.close()
  expect(stateOf('change-deletion')).toMatchObject({ failures: 0, running: 0 })
  expect(lines).toEqual([])
})
