import { badRequest } from './error.ts'

/**
 * The work that one request may still cost, in steps: a step is one comparison of one value, or 16
 * characters of a long string. A member of a body is ten steps. All calls that serve the request share the same budget.
 */
export interface WorkBudget {
  /** The steps that are left. */
  readonly remaining: number
  /** Subtracts `steps`. Throws a ScimError, `400 tooMany`, if fewer steps are left; none are left then. */
  readonly spend: (steps: number) => void
}

/**
 * Creates the budget of one request. The default is 1,000,000 steps, which take less than about 200 ms.
 *
 * Pass the same budget to every `compileFilter` and `applyPatch` of a request, so it limits
 * their total work.
 *
 * @example
 * ```ts
 * import { createWorkBudget } from '@plumbline/scim'
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { compileFilter, parseFilter } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const budget = createWorkBudget(100)
 * const filter = unwrap(parseFilter('emails.value co "b"'))
 * const matches = unwrap(compileFilter(filter, { definitions, budget }))
 * matches({ emails: [{ value: 'a@example.com' }, { value: 'b@example.com' }] }) //=> true
 * budget.remaining //=> 97
 * ```
 */
export function createWorkBudget(steps?: number): WorkBudget {
  return createRenewableBudget(steps)
}

/** A budget for work in several parts, where each part may use all the steps. */
export interface RenewableBudget extends WorkBudget {
  readonly renew: () => void
}

export function createRenewableBudget(steps: number = DEFAULT_STEPS): RenewableBudget {
  const budget = {
    remaining: steps,
    spend: (cost: number): void => {
      budget.remaining -= cost
      if (budget.remaining >= 0) return
      budget.remaining = 0
      throw badRequest('tooMany', `the request takes more than ${steps} steps of work`)
    },
    renew: (): void => {
      budget.remaining = steps
    },
  }
  return budget
}

/** Whether a string is so long that reading it costs steps of its own. */
export function isLong({ length }: string): boolean {
  return length > SHORT
}

/** The steps of reading a long string. */
export function stepsOfText({ length }: string): number {
  return Math.floor(length / CHARACTERS_PER_STEP)
}

/** Spends the steps of folding or comparing a string. A short string is free. */
export function spendOnText({ spend }: WorkBudget, text: string): void {
  if (isLong(text)) spend(stepsOfText(text))
}

/** The steps of searching a long string for another: an engine may compare all pairs of characters. */
export function stepsOfSearch(text: string, wanted: string): number {
  return stepsOfText(text) + Math.floor((text.length * wanted.length) / PAIRS_PER_STEP)
}

const DEFAULT_STEPS = 1_000_000
const SHORT = 64
const CHARACTERS_PER_STEP = 16
const PAIRS_PER_STEP = 128
