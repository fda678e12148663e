import type { DefaultReason, Source } from '../source.ts'
import type { OperationPlan } from './plan.ts'
import type { GeneratedExchange } from './session.ts'

/** Compares an answer with the contract. Returns the difference; null if it conforms. */
export type Judge = (exchange: GeneratedExchange) => string | null

/** Requires an answer the operation itself declares, for a valid request. */
export function judgeValid({ ownStatuses }: OperationPlan): Judge {
  return ({ response, violations }) => {
    const [first] = violations
    if (first !== undefined) return violations.join('; ')
    const status = response?.status ?? 0
    const keys = [String(status), `${Math.floor(status / 100)}XX`, 'default']
    if (status < 400 || status === TOO_LARGE || keys.some((key) => ownStatuses.includes(key))) {
      return null
    }
    // Only the document's default problems declare the status.
    return status >= 500
      ? `a valid request was answered ${status}`
      : `a valid request was answered ${status}, which says that the request is not valid`
  }
}

/** Requires a declared 4xx for an invalid request: one among these statuses, if any are named. */
export function judgeRejected(what: string, statuses: readonly number[]): Judge {
  return ({ response, violations }) => {
    const status = response?.status ?? 0
    const [first] = violations
    if (status >= 400 && status < 500 && first !== undefined) return violations.join('; ')
    if (statuses.includes(status)) return null
    return `${what} was answered ${status}, not ${statuses.join(', ')}`
  }
}

/** The statuses for a request that breaks a constraint. */
export const NOT_VALID: readonly number[] = [400, 413, 414, 415, 422, 431]

/** A default problem's status, or the usual statuses in documents without defaults. */
export function statusesOf(
  source: Source,
  reason: DefaultReason,
  otherwise: readonly number[],
): readonly number[] {
  const status = source.defaultStatus(reason)
  return status === null ? otherwise : [...new Set([status, ...otherwise])]
}

const TOO_LARGE = 413
