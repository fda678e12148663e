import { badRequest, type ScimError } from '../error.ts'
import { createMemberCount, type MemberCount } from '../values/member-count.ts'
import type { WorkBudget } from '../work-budget.ts'
import type { PlanOptions, Tolerance } from './types.ts'

/** How a request's operations are applied. */
export interface Rules {
  readonly tolerate: readonly Tolerance[]
  /** Receives the path of each unknown attribute or member, which is then ignored; null rejects them. */
  readonly ignore: ((path: string) => void) | null
  /** Creates the error for an unknown attribute or rejected member. */
  readonly unknown: (reason: string) => ScimError
  /** Whether the core schema's URN is not a path (`missing-path`). */
  readonly needsAttribute: boolean
  /** How many values an attribute other than `members` may have. */
  readonly maxValues: number
  /** Counts the members read so far. */
  readonly count: MemberCount
}

/** Creates the rules for one request's operations. All unknown members are counted together. */
export function createRules(
  { tolerate = [], reject = [], onIgnored }: PlanOptions,
  { budget, maxValues }: { readonly budget: WorkBudget; readonly maxValues: number },
): Rules {
  const isRejected = reject.includes('unknown-attributes')
  const needsAttribute = reject.includes('missing-path')
  const count = createMemberCount(budget, isRejected)
  const unknown = (reason: string): ScimError =>
    badRequest(isRejected ? 'invalidSyntax' : 'invalidPath', reason)
  const rules = { tolerate, unknown, needsAttribute, maxValues, count }
  if (isRejected || !tolerate.includes('unknown-attributes')) return { ...rules, ignore: null }
  const ignore = (path: string): void => {
    count.addUnknown(path)
    onIgnored?.(path)
  }
  return { ...rules, ignore }
}
