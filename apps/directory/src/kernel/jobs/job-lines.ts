import { MINUTE } from '../durations.ts'
import type { JobName } from './job-names.ts'

/** A background job's failure. */
export interface JobFailure {
  readonly job: JobName
  /** The tenant; null if the work was for all tenants. */
  readonly tenantId: string | null
  readonly error: unknown
}

/** A failure to log, and the ones before it that were not logged. */
export interface LoggedFailure extends JobFailure {
  /** How many failures of the job were not logged since the last one. */
  readonly suppressed: number
  /** Some of their tenants. */
  readonly suppressedTenants: readonly string[]
}

/**
 * Passes on at most one failure per job and minute: the first one immediately, and the last one at the end of the
 * minute.
 */
export function createJobLines(
  write: (failure: LoggedFailure) => void,
): (failure: JobFailure) => void {
  const waiting = new Map<JobName, Waiting>()
  const endMinute = (job: JobName): void => {
    const { last, count, tenants } = waiting.get(job) ?? newWaiting()
    if (last === null) {
      waiting.delete(job)
      return
    }
    tenants.delete(last.tenantId ?? '')
    const suppressedTenants = [...tenants].slice(0, MAX_TENANTS)
    writeLine({ ...last, suppressed: count - 1, suppressedTenants })
  }
  const writeLine = (failure: LoggedFailure): void => {
    waiting.set(failure.job, newWaiting())
    setTimeout(endMinute, MINUTE, failure.job).unref()
    write(failure)
  }
  return (failure) => {
    const minute = waiting.get(failure.job)
    if (minute === undefined) {
      return writeLine({ ...failure, suppressed: 0, suppressedTenants: [] })
    }
    minute.last = failure
    minute.count += 1
    const { tenantId } = failure
    // One more than a line names, because the last failure's tenant has a separate member.
    if (tenantId !== null && minute.tenants.size <= MAX_TENANTS) minute.tenants.add(tenantId)
  }
}

/** The failures within a minute that are not logged yet. */
interface Waiting {
  last: JobFailure | null
  count: number
  readonly tenants: Set<string>
}

function newWaiting(): Waiting {
  return { last: null, count: 0, tenants: new Set() }
}

const MAX_TENANTS = 10
