import { createJobLines, type JobFailure, type LoggedFailure } from './job-lines.ts'
import { JOB_NAMES, type JobName } from './job-names.ts'

/** Reports that a part of a run failed: the run continues, and is not a success. */
export type ReportFailure = (error: unknown, tenantId?: string | null) => void

/** Reports that a part of a run is done: a long run does not hang. */
export type ReportProgress = () => void

/** The outcomes of one process's background jobs, for its log and its metrics. */
export interface JobReports {
  /** Expects a run to succeed every `interval` (ms) from now on. */
  schedule(job: JobName, interval: number): void
  /** Runs work, and reports how it ended. Never rejects: resolves with `otherwise` if the work fails. */
  attempt<Value>(
    job: JobName,
    work: (fail: ReportFailure, progress: ReportProgress) => Promise<Value>,
    options: AttemptOptions<Value>,
  ): Promise<Value>
  /** Reports a failure outside of a run. */
  failed(job: JobName, error: unknown, tenantId?: string | null): void
  /** Sets where failures are written. Before, they are only counted. */
  writeTo(write: (failure: LoggedFailure) => void): void
  /** All jobs, for the metrics. */
  read(): readonly JobState[]
}

/** Options for `attempt`. */
export interface AttemptOptions<Value> {
  /** The result if the work fails. */
  readonly otherwise: Value
  /** The tenant that the work is for; null for all tenants. */
  readonly tenantId?: string | null
  /** Aborts if the process stops; the work may then end with any error. */
  readonly signal?: AbortSignal
}

/** A job's state. */
export interface JobState {
  readonly job: JobName
  /** How many runs, or parts of runs, failed since the process started. */
  readonly failures: number
  /** How many runs have not ended. */
  readonly running: number
  /** How often (ms) the job runs; 0 if it runs on demand, or not in this process. */
  readonly interval: number
  /**
   * How long (ms) ago the job last succeeded, was scheduled or made progress. If it runs on demand: how long the oldest
   * run has made no progress, or every run has failed; 0 if the work is done.
   */
  readonly sinceSuccess: number
}

/** Options for `createJobReports`. */
export interface JobReportOptions {
  /** Returns milliseconds from a clock that is never set. */
  readonly elapsed?: () => number
}

/** Creates the reports of a process's background jobs. At most one failure per job and minute is written. */
export function createJobReports({
  elapsed = () => performance.now(),
}: JobReportOptions = {}): JobReports {
  const records = new Map(JOB_NAMES.map((job) => [job, newRecord()]))
  let write: (failure: LoggedFailure) => void = () => undefined
  const addLine = createJobLines((failure) => write(failure))
  const recordOf = (job: JobName): JobRecord => records.get(job) ?? newRecord()
  const addFailure = (failure: JobFailure): void => {
    const record = recordOf(failure.job)
    record.failures += 1
    record.failingSince ??= elapsed()
    addLine(failure)
  }
  return {
    schedule: (job, interval) => {
      const record = recordOf(job)
      record.interval = interval
      record.succeeded = elapsed()
    },
    attempt: async (job, work, { otherwise, tenantId = null, signal }) => {
      const record = recordOf(job)
      const run = { started: elapsed(), hasFailed: false }
      const fail: ReportFailure = (error, failing = tenantId) => {
        run.hasFailed = true
        if (signal?.aborted !== true) addFailure({ job, tenantId: failing, error })
      }
      const progress = (): void => {
        run.started = elapsed()
        if (record.failingSince === null) record.succeeded = elapsed()
      }
      record.runs.add(run)
      try {
        const value = await work(fail, progress)
        if (!run.hasFailed) Object.assign(record, { succeeded: elapsed(), failingSince: null })
        return value
      } catch (error) {
        fail(error)
        return otherwise
      } finally {
        record.runs.delete(run)
      }
    },
    failed: (job, error, tenantId = null) => addFailure({ job, tenantId, error }),
    writeTo: (to) => {
      write = to
    },
    read: () => [...records].map(([job, record]) => stateOf(job, record, elapsed())),
  }
}

/** A job's outcomes. */
interface JobRecord {
  failures: number
  interval: number
  /** When the job last succeeded, was scheduled or made progress. */
  succeeded: number
  /** When the first run failed since the last success. */
  failingSince: number | null
  /** The runs that have not ended. */
  readonly runs: Set<{ readonly started: number }>
}

function newRecord(): JobRecord {
  return { failures: 0, interval: 0, succeeded: 0, failingSince: null, runs: new Set() }
}

function stateOf(job: JobName, record: JobRecord, now: number): JobState {
  const { failures, interval, succeeded, failingSince, runs } = record
  const undoneSince = Math.min(failingSince ?? now, ...[...runs].map(({ started }) => started))
  const since = interval === 0 ? undoneSince : succeeded
  return { job, failures, interval, running: runs.size, sinceSuccess: now - since }
}
