import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { shutDown, withJobs } from '../../src/commands/shutdown.ts'
import { createJobReports } from '../../src/kernel/jobs/job-reports.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const forever = () => new Promise<void>(() => undefined)
const observed = () => {
  const given: (readonly string[])[] = []
  const failures: string[] = []
  return {
    given,
    failures,
    options: {
      limit: 13_000,
      failed: (name: string, error: unknown) => failures.push(`${name}: ${error}`),
      giveUp: (hanging: readonly string[]) => given.push([...hanging]),
    },
  }
}

it('a shutdown names the parts still open after the time limit', async () => {
  const { given, options } = observed()
  const steps = [
    { name: 'requests', close: async () => undefined },
    { name: 'jobs', close: forever },
    { name: 'database', close: forever },
  ]
  void shutDown(steps, options)
  await vi.advanceTimersByTimeAsync(12_999)
  expect(given).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(given).toEqual([['jobs', 'database']])
})

it('a shutdown closes the next parts after one that cannot be closed', async () => {
  const { given, failures, options } = observed()
  const closed: string[] = []
  const steps = [
    { name: 'jobs', close: () => Promise.reject(new Error('broken')) },
    { name: 'database', close: async () => void closed.push('database') },
  ]
  await shutDown(steps, options)
  expect({ closed, failures }).toEqual({ closed: ['database'], failures: ['jobs: Error: broken'] })
  await vi.advanceTimersByTimeAsync(13_000)
  // Something else keeps the process running.
  expect(given).toEqual([['code outside of the directory']])
})

it('a hanging job is named', () => {
  const jobs = createJobReports()
  void jobs.attempt('change-deletion', forever, { otherwise: undefined })
  expect(withJobs(['jobs'], jobs.read())).toEqual(['jobs', 'job change-deletion'])
})
