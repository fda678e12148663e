/** The background jobs, as the log and the metrics name them. */
export const JOB_NAMES = [
  'tenant-deletion',
  'change-deletion',
  'recording-deletion',
  'request-log',
  'request-log-pruning',
  'recordings',
  'recording-look-up',
  'webhooks',
  'webhook-delivery',
  'readings',
  'webhook-lease',
  'live-streams',
  'last-use',
  'sessions',
  'rejection-details',
  'checkpoints',
  'newest-migration',
  'history',
] as const

/** A background job's name. */
export type JobName = (typeof JOB_NAMES)[number]
