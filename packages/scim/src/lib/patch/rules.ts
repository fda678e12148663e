import { badRequest, type ScimError } from '../error.ts'
import { createMemberCount, type MemberCount } from '../values/member-count.ts'
import type { WorkBudget } from '../work-budget.ts'
import type { PlanOptions } from './types.ts'

/** How a client's values are coerced. */
export interface ValueRules {
  /** Receives the path of each unknown attribute or member, which is then ignored; null rejects them. */
  readonly ignore: ((path: string) => void) | null
  /** Creates the error for an unknown attribute or rejected member. */
  readonly unknown: (reason: string) => ScimError
  /** How many values an attribute other than `members` may have. */
  readonly maxValues: number
  /** Counts the members read so far. */
  readonly count: MemberCount
}

/** Creates the rules for one request's operations. Its unknown members are counted together. */
export function createRules(
  { tolerate = [], reject = [], onIgnored }: PlanOptions,
  { budget, maxValues }: { readonly budget: WorkBudget; readonly maxValues: number },
): ValueRules {
  const isRejected = reject.includes('unknown-attributes')
  const count = createMemberCount(budget, isRejected)
  const unknown = (reason: string): ScimError =>
    badRequest(isRejected ? 'invalidSyntax' : 'invalidPath', reason)
  if (isRejected || !tolerate.includes('unknown-attributes')) {
    return { ignore: null, unknown, maxValues, count }
  }
  const ignore = (path: string): void => {
    count.addUnknown(path)
    onIgnored?.(path)
  }
  return { ignore, unknown, maxValues, count }
}
