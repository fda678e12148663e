import type { JobState } from '../../kernel/jobs/job-reports.ts'
import type { Reading } from './readings.ts'

/** Returns the metrics of background jobs. Prometheus sets a label `job` itself, so theirs is `task`. */
export function jobReadings(read: () => readonly JobState[]): readonly Reading[] {
  const gauge = { isCounter: false, labels: ['task'] }
  return [
    {
      name: 'directory_job_failures',
      isCounter: true,
      labels: ['task'],
      help: 'Failures of background jobs. The log has at most one of them per job and minute.',
      read: () => read().map(({ job, failures }) => ({ labels: { task: job }, value: failures })),
    },
    {
      ...gauge,
      name: 'directory_job_last_success_seconds',
      help: 'The time since a background job last succeeded; 0 for a job on demand without work.',
      read: () =>
        read().map((state) => ({ labels: { task: state.job }, value: state.sinceSuccess / 1_000 })),
    },
    {
      ...gauge,
      name: 'directory_job_interval_seconds',
      help: 'How often a background job runs; 0 for a job on demand.',
      read: () =>
        read().map(({ job, interval }) => ({ labels: { task: job }, value: interval / 1_000 })),
    },
  ]
}
