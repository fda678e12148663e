import { failure, type Result, success } from '@plumbline/result'
import { LEVELS } from './check.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import type { Outcome } from './report.ts'

/** The outcome members a comparison needs. */
export type ComparedOutcome = Pick<Outcome, 'id' | 'section' | 'level' | 'title' | 'status'>

/** The differences between two reports. */
export interface Comparison {
  /** The checks that fail now but did not before. */
  readonly failing: readonly ComparedOutcome[]
  /** The checks that failed before and pass now. */
  readonly fixed: readonly ComparedOutcome[]
  /** The checks that failed before but did not run now. */
  readonly skipped: readonly ComparedOutcome[]
  /** The checks missing in the first report. */
  readonly added: readonly ComparedOutcome[]
  /** The checks missing in the second report. */
  readonly gone: readonly ComparedOutcome[]
}

/** A report as far as a comparison needs it. */
export interface ComparedReport {
  readonly outcomes: readonly ComparedOutcome[]
}

/**
 * Compares two reports by check id. A new check that fails is in `added` and not in `failing`.
 *
 * @example
 * ```ts
 * import { compareReports } from '@plumbline/doctor'
 *
 * const check = { id: 'read.user', section: 'RFC 7644 §3.4.1', level: 'MUST', title: 'Reads' } as const
 * const before = { outcomes: [{ ...check, status: 'failed' as const }] }
 * const after = { outcomes: [{ ...check, status: 'passed' as const }] }
 * compareReports(before, after).fixed.map(({ id }) => id) //=> ['read.user']
 * ```
 */
export function compareReports(before: ComparedReport, after: ComparedReport): Comparison {
  const old = new Map(before.outcomes.map((outcome) => [outcome.id, outcome]))
  const ids = new Set(after.outcomes.map(({ id }) => id))
  const known = after.outcomes.filter(({ id }) => old.has(id))
  const failedBefore = ({ id }: ComparedOutcome): boolean => isFailed(old.get(id))
  return {
    failing: known.filter((one) => isFailed(one) && !failedBefore(one)),
    fixed: known.filter((one) => one.status === 'passed' && failedBefore(one)),
    skipped: known.filter((one) => didNotRun(one) && failedBefore(one)),
    added: after.outcomes.filter(({ id }) => !old.has(id)),
    gone: before.outcomes.filter(({ id }) => !ids.has(id)),
  }
}

/**
 * Reads a report `formatReport` wrote as JSON. The failure is a TypeError for other JSON, and for reports with an
 * unknown version.
 *
 * @example
 * ```ts
 * import { parseReport } from '@plumbline/doctor'
 * import { isFailure } from '@plumbline/result'
 *
 * const result = parseReport({ format: 'plumbline-doctor', version: 2 })
 * isFailure(result) && result.error.message //=> 'not a report of version 1'
 * ```
 */
export function parseReport(json: unknown): Result<ComparedReport, TypeError> {
  if (!isJsonObject(json) || json.format !== REPORT_FORMAT) {
    return failure(new TypeError('not a report of plumbline-doctor'))
  }
  if (json.version !== REPORT_VERSION) {
    return failure(new TypeError(`not a report of version ${REPORT_VERSION}`))
  }
  const list: readonly unknown[] = Array.isArray(json.outcomes) ? json.outcomes : [null]
  if (!list.every(isOutcome)) return failure(new TypeError('outcomes are not valid'))
  return success({ outcomes: list })
}

function isFailed(outcome: ComparedOutcome | undefined): boolean {
  return outcome?.status === 'failed' || outcome?.status === 'broken'
}

function didNotRun({ status }: ComparedOutcome): boolean {
  return status === 'skipped' || status === 'blocked' || status === 'unanswered'
}

function isOutcome(value: unknown): value is JsonObject & ComparedOutcome {
  if (!isJsonObject(value)) return false
  const texts = [value.id, value.section, value.title]
  return (
    texts.every((one) => typeof one === 'string') &&
    LEVELS.some((one) => one === value.level) &&
    STATUSES.some((one) => one === value.status)
  )
}

/** The `format` and `version` members in a JSON report. */
export const REPORT_FORMAT = 'plumbline-doctor'
export const REPORT_VERSION = 1

const STATUSES = ['passed', 'failed', 'skipped', 'blocked', 'unanswered', 'broken'] as const
