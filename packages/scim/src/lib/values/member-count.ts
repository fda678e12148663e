import { badRequest } from '../error.ts'
import type { WorkBudget } from '../work-budget.ts'

/** Counts the members in all objects of a body, and limits unknown ones. */
export interface MemberCount {
  /** Spends steps for this many members. Throws a ScimError, `400 tooMany`, beyond the budget. */
  readonly add: (members: number) => void
  /** Whether members without a definition are rejected. */
  readonly rejectsUnknown: boolean
  /**
   * Counts a member without a definition. Throws a ScimError: `400 invalidSyntax` if such members are rejected,
   * otherwise `tooMany` after 1,000.
   */
  readonly addUnknown: (name: string) => void
}

/** Creates a count for one body. Without a budget, only unknown members are limited. */
export function createMemberCount(budget?: WorkBudget, rejectsUnknown = false): MemberCount {
  let unknown = 0
  return {
    add: (members) => budget?.spend(members * STEPS_OF_MEMBER),
    rejectsUnknown,
    addUnknown: (name) => {
      if (rejectsUnknown) throw badRequest('invalidSyntax', `unknown attribute ${name}`)
      unknown += 1
      requireFewUnknown(unknown, 'the body')
    },
  }
}

/** Counts nothing, for a resource already stored. */
export const UNLIMITED_MEMBERS: MemberCount = {
  add: () => undefined,
  rejectsUnknown: false,
  addUnknown: () => undefined,
}

/** Throws a ScimError, `400 tooMany`, if an object has too many members without a definition. */
export function requireFewUnknown(count: number, place: string): void {
  if (count > MAX_UNKNOWN) {
    throw badRequest('tooMany', `${place} has more than ${MAX_UNKNOWN} unknown members`)
  }
}

/** A name is folded, looked up and spelled, and its value is coerced and copied: about a microsecond. */
const STEPS_OF_MEMBER = 10
/** Clients sending another service's attributes send hundreds of unknown members. */
const MAX_UNKNOWN = 1_000
